"""A site on five hosts, as far as one machine can be five: network namespaces, a cable between them that takes time."""
