"""What is kept between questions, an analysis and a part of an index, is never that of another text or counter."""

from rag_lessons import Document
from rag_lessons.analysis import analyse
from rag_lessons.long_context import LongContext


def test_an_analysis_is_of_its_own_text_and_counter():
    old, new = Document("a.md", "# Gates\n\nGates rust."), Document("a.md", "# Gates\n\n## Locks\n\nLocks rust too.")
    for _ in range(2):
        assert [section.title for section in analyse(old).sections] == ["Gates"]
        assert [section.title for section in analyse(new).sections] == ["Gates", "Locks"]
        assert analyse(old, len).tokens == len(old.text)
        assert analyse(old).tokens < len(old.text)
        assert analyse([old, Document("b.md", "# Terns")]).sections[-1].title == "Terns"


def test_the_hybrid_of_a_changed_document_finds_the_new_text():
    filler = "\n\n".join(f"# Part {n}\n\n" + "The tide rises and falls. " * 20 for n in range(9))
    context = LongContext(500, reserve=64)
    for word in ("terns", "puffins", "terns"):
        context.add(Document("a.md", f"{filler}\n\n# Birds\n\nIn May the {word} nest on the roof."))
        for _ in range(2):
            found = context.ask("When do birds nest on the roof?", "a.md", "hybrid")
            assert f"In May the {word} nest on the roof." in found.prompt
