"""What several test files share: the browser, and the rule for machines that have none."""

import os
import shutil

import hypothesis
import pytest
from playwright.sync_api import sync_playwright

CHROMIUM_NAMES = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run"],
    *["--disable-background-networking", "--disable-component-update", "--disable-sync"],
]
NO_CHROMIUM = "No Chromium was found: install it, or set CHROMIUM to the path of a Chrome or Chromium."

# The same inputs on every run; `pytest --hypothesis-profile=search` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=60)
hypothesis.settings.register_profile("search", database=None, deadline=None, max_examples=2000)
hypothesis.settings.load_profile("same")


def find_chromium():
    """The path of a Chromium or Chrome, or None; the variable CHROMIUM goes before every other place."""
    names = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else CHROMIUM_NAMES
    return next(filter(None, map(shutil.which, names)), None)


def pytest_runtest_setup(item):
    """Skip browser tests where there is no Chromium, but let nothing pass unseen in CI."""
    if item.get_closest_marker("browser") and find_chromium() is None:
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse(NO_CHROMIUM)


@pytest.fixture(scope="session")
def browser():
    """A running headless Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def browser_page(browser):
    """A page of its own for one test, with nothing kept from the test before."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()
