"""`run.py lab` opens the first lesson, undisturbed, with this environment's kernel."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The same server as `run.py lab`, in the environment that runs the tests.
LAB = """
import pathlib, sys, run
run.PYTHON, run.ROOT = pathlib.Path(sys.executable), pathlib.Path(sys.argv[1])
run.VENV = run.ROOT
sys.exit(run.lab("--no-browser", "--port=0"))
"""


@pytest.fixture(scope="module")
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
            return found[0]
        time.sleep(0.1)
    raise TimeoutError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")


@pytest.mark.browser
def test_lab_opens_the_first_lesson(lab_url, browser_page):
    browser_page.goto(lab_url)
    browser_page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    browser_page.wait_for_selector(".jp-NotebookPanel-toolbar [data-status=idle]", timeout=60_000)
    tab = browser_page.locator("#jp-main-dock-panel .lm-TabBar-tab.jp-mod-current")
    assert tab.inner_text().strip() == "00_start_here.ipynb"
    assert browser_page.locator(".jp-Dialog").count() == 0
    assert browser_page.locator(".Toastify__toast").all_inner_texts() == []


@pytest.mark.browser
def test_lab_offers_the_kernel_of_this_environment(lab_url):
    with urlopen(re.sub(r"/lab[^?]*", "/api/kernelspecs", lab_url)) as answer:
        specs = json.load(answer)
    assert specs["default"] == "python3"
    kernel = specs["kernelspecs"]["python3"]["spec"]["argv"][0]
    assert kernel in ("python", sys.executable)  # the server runs "python" as its own interpreter
