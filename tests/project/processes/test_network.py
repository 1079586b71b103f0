"""Where this machine listens, and by which names it can be reached."""

import os
import socket
from ipaddress import ip_address

import pytest

from blockyou.processes.network import handed_over, host_names, lan_addresses, listen


def test_a_socket_listens_and_may_be_inherited() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert listener.get_inheritable()
        with socket.create_connection(listener.getsockname()):
            pass


def test_a_port_in_use_is_refused() -> None:
    with listen("127.0.0.1", 0) as first, pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", first.getsockname()[1])


@pytest.mark.parametrize("pid", ["", "1"])
def test_a_socket_that_systemd_holds_for_another_process_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, pid: str
) -> None:
    monkeypatch.setenv("LISTEN_PID", pid)
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert handed_over() is None
    assert "LISTEN_FDS" not in os.environ


def test_addresses_of_the_networks_are_ipv4_and_not_loopback() -> None:
    assert not [address for address in lan_addresses() if ip_address(address).is_loopback]


def test_a_machine_without_a_network_has_no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: socket.socket, address: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert lan_addresses() == []


def test_phones_find_the_machine_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Den.example.org")
    assert host_names() == ["den", "den.local"]
