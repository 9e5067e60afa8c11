"""Write what was measured as Markdown tables; what the figures mean stands in README.md."""

WORDS = {True: "yes", False: "no", None: "-"}
NO_MEMORY = "not told by this system"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table.

    >>> table(["a"], [["1"]])
    '| a |\\n|---|\\n| 1 |'
    """
    lines = [head, *rows]
    lines = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def speed_table(rows: list[dict]) -> str:
    """What is how many times as fast as its peer."""
    head = ["what", "peer", "times as fast (median)", "min-max", "goal", "met"]
    return table(head, [[
        row["what"],
        row["peer"],
        _number(row["ratio"]),
        f"{_number(row['low'])}-{_number(row['high'])}",
        "-" if row["goal"] is None else f"{row['goal']:g}",
        WORDS[row["met"]],
    ] for row in rows])  # fmt: skip


def ask_table(sizes: list[dict]) -> str:
    """How long one question takes, and how often either search finds the chunk that it was made from."""
    found = [f"its chunk among the {sizes[0]['k']} of the route", "of flat BM25"]
    head = ["chunks", "documents", "`ask`, median ms", "10-90 %", "goal", "met", *found]
    rows = []
    for size in sizes:
        ms = size["ask"]
        rows.append([
            f"{size['chunks']:,}",
            f"{size['documents']:,}",
            f"{ms['median']:.1f}",
            f"{ms['low']:.1f}-{ms['high']:.1f}",
            "-" if ms["goal"] is None else f"at most {ms['goal']:g}",
            WORDS[ms["met"]],
            *(f"{100 * share:.1f} %" for share in size["found"]),
        ])
    return table(head, rows)


def growth_table(results: list[dict]) -> str:
    """Time and memory of building, times in proportion to the smallest size."""
    head = [
        "text",
        "chunks",
        "processor time a MB, smallest = 1",
        "peak memory / text",
        "above the start / text",
        "goal",
        "met",
    ]
    paces = [result["seconds"] / result["characters"] for result in results]
    rows = []
    for result, pace in zip(results, paces, strict=True):
        text, memory = result["characters"], [NO_MEMORY, NO_MEMORY]
        if result["peak"] is not None:
            memory = [f"{result['peak'] / text:.1f}", f"{(result['peak'] - result['before']) / text:.1f}"]
        aim = ["-" if result["goal"] is None else f"peak below {result['goal']:g}", WORDS[result["met"]]]
        rows.append([f"{text / 1e6:.0f} MB", f"{result['chunks']:,}", f"{pace / paces[0]:.2f}", *memory, *aim])
    return table(head, rows)


def cutting_table(results: dict) -> str:
    """Time a sentence of the exact window in proportion to the shortest document, and of the sliding one in ms."""
    first = results["growth"][0]["pace"]
    head = ["sentences", "`best_window`, processor time a sentence, shortest = 1", "goal", "met"]
    rows = [
        [
            f"{row['sentences']:,}",
            f"{row['pace'] / first:.2f}",
            "-" if row["goal"] is None else f"at most {row['goal']:g}",
            WORDS[row["met"]],
        ]
        for row in results["growth"]
    ]
    spent = results["milliseconds"]
    return (
        f"{table(head, rows)}\n\n`sliding_window` on 1,000 sentences of real text takes {spent['median']:.1f} ms of "
        f"processor time besides splitting it (goal: at most {spent['goal']:g}; met: {WORDS[spent['met']]})."
    )


def long_table(results: dict) -> str:
    """Mapping in proportion to the ideal, and the analysis of long documents in seconds."""
    mapping, first = results["map"], results["analysis"][0]["pace"]
    head = ["document", "analysis and section scores, processor time in seconds", "a MB, shortest = 1", "goal", "met"]
    rows = [
        [
            f"{row['megabytes']} MB",
            f"{row['seconds']:.2f}",
            f"{row['pace'] / first:.2f}",
            "-" if row["goal"] is None else f"at most {row['goal']:g} s, linear",
            WORDS[row["met"]],
        ]
        for row in results["analysis"]
    ]
    return (
        f"{table(head, rows)}\n\nMapping {mapping['calls']} parts, five at a time, with a model that waits 50 ms takes "
        f"{mapping['ratio']:.2f} times the ideal (goal: at most {mapping['goal']:g}; met: {WORDS[mapping['met']]}); "
        f"all memory it takes is that of {mapping['prompts']:.0f} prompts."
    )


def recall_table(rows: list[dict]) -> str:
    """Recall of each pipeline at each budget, and the paired difference from flat BM25."""
    head = ["budget", "pipeline", "recall", "95 % interval", "above flat BM25", "95 % interval"]
    return table(head, [[
        f"{row['budget']:,}",
        row["pipeline"],
        f"{100 * row['recall']:.1f} %",
        "{:.1f}-{:.1f} %".format(*(100 * end for end in row["interval"])),
        *_above(row["above"]),
    ] for row in sorted(rows, key=lambda row: row["budget"])])  # fmt: skip


def _above(difference: list[float] | None) -> list[str]:
    if difference is None:
        return ["-", "-"]
    mean, low, high = (100 * value for value in difference)
    return [f"{mean:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def _number(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def write(results: dict, made_by: str, picture: str, description: str) -> str:
    """All of RESULTS.md. made_by: command, versions and date. picture: the plot's file and its description."""
    rows = [*results["contest"]["rows"], *(row for size in results["querying"] for row in size["rows"])]
    rows += results["truncating"]["rows"]
    return f"""# Benchmark results

{made_by} What each figure says, and does not say: [README.md](README.md).

![{description}]({picture})

## Speed

{speed_table(rows)}

## One question

{ask_table(results["querying"])}

## Building an index

{growth_table(results["growth"])}

## Cutting a document

{cutting_table(results["truncating"])}

## Long documents

{long_table(results["long"])}

## Evidence

Over the {results["recall"]["questions"]} questions on `data/handbook` that have evidence; differences in points.

{recall_table(results["recall"]["rows"])}
"""
