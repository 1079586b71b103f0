"""What holds the house up: imports, purity, migrations, templates, documents."""
