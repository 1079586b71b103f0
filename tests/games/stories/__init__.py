"""Stories: what people live through here over months, from one page to the next."""
