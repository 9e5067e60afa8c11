"""What several test files share: the browser, and the rule for machines that have none."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import hypothesis
import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
# The same server as `run.py lab`, in the environment that runs the tests.
LAB = """
import pathlib, sys, run
run.PYTHON, run.ROOT = pathlib.Path(sys.executable), pathlib.Path(sys.argv[1])
run.VENV = run.ROOT
sys.exit(run.lab("--no-browser", "--port=0"))
"""
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


def pytest_collection_modifyitems(items):
    """Browser tests last: Playwright keeps an event loop running in the thread, and others start their own."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


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


@pytest.fixture(scope="session")
def lab_url(tmp_path_factory):
    """The address of a running JupyterLab; it shows a copy of the lessons, which it may save as it likes."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    log = folder / "lab.log"
    with log.open("w", encoding="utf-8") as stderr:
        server = subprocess.Popen([sys.executable, "-c", LAB, folder], cwd=ROOT, stderr=stderr)
    try:
        yield address(log)
    finally:
        server.terminate()
        server.wait()


def address(log):
    """The address that a server writes into its log, waited for up to a minute."""
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        if found := re.search(r"http://127\.0\.0\.1:\d+/lab\S*token=\w+", log.read_text(encoding="utf-8")):
            return found[0] + "&reset"  # each test finds only what it opens itself
        time.sleep(0.1)
    raise TimeoutError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
