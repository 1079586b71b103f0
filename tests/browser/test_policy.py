"""What the content policy stops is told as a complaint about the page; every other test asks that there is none."""

from tests.browser.people import People


def test_a_violation_of_the_content_policy_is_a_complaint(people: People) -> None:
    person = people.arrive("pat")
    person.go("/")
    assert person.complaints == []
    with person.page.expect_console_message(lambda message: message.text.startswith("policy:")):
        person.page.evaluate(
            "document.body.append(Object.assign(new Image(), {src: 'https://elsewhere.example/x.png'}))"
        )
    assert any(complaint.startswith("policy: img-src") for complaint in person.complaints)
    person.complaints.clear()
