"""The rules for programs that learn: docs/learning.md. Nothing of Django; needs what the extra `learn` names."""
