"""The settings of the site that Sphinx builds."""

project = "Kitchen"
extensions = ["sphinx_design"]
language = "en"
