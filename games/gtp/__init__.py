"""Our engines as a program that speaks the Go Text Protocol in Pentobi's dialect: docs/engine.md. Nothing of Django."""
