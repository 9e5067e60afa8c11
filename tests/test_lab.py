"""`run.py lab` opens the first lesson, undisturbed, with this environment's kernel."""

import json
import re
import sys
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect


@pytest.mark.browser
def test_lab_opens_the_first_lesson(lab_url, browser_page):
    browser_page.goto(lab_url)
    browser_page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    browser_page.wait_for_selector(".jp-NotebookPanel-toolbar [data-status=idle]", timeout=60_000)
    tab = browser_page.locator("#jp-main-dock-panel .lm-TabBar-tab.jp-mod-current")
    expect(tab).to_have_text("00_start_here.ipynb", timeout=30_000)
    assert browser_page.locator(".jp-Dialog").count() == 0
    assert browser_page.locator(".Toastify__toast").all_inner_texts() == []


@pytest.mark.browser
def test_lab_offers_the_kernel_of_this_environment(lab_url):
    with urlopen(re.sub(r"/lab[^?]*", "/api/kernelspecs", lab_url)) as answer:
        specs = json.load(answer)
    assert specs["default"] == "python3"
    kernel = specs["kernelspecs"]["python3"]["spec"]["argv"][0]
    assert kernel in ("python", sys.executable)  # the server runs "python" as its own interpreter


@pytest.mark.browser
def test_the_budget_slider_is_two_clicks_away_and_needs_no_kernel(lab_url, browser_page):
    browser_page.goto(lab_url)
    browser_page.locator(".jp-RenderedMarkdown a", has_text="budget slider").first.click(timeout=60_000)
    browser_page.get_by_role("button", name="Trust HTML").click()
    page = browser_page.frame_locator(".jp-HTMLViewer iframe, iframe.jp-HTMLViewer").first
    slider = page.locator("input[type=range]")
    slider.focus()
    before = page.locator("main").inner_text()
    slider.press("ArrowRight")
    assert "250 tokens" in before and "260 tokens" in page.locator("main").inner_text()
