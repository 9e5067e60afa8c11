"""Checks for the exercises: each says in words what is still wrong."""

from rag_lessons.exercises.feedback import Feedback
from rag_lessons.exercises.lesson_00 import check_four, check_reading
from rag_lessons.exercises.lesson_01 import check_overlap, check_whole_fences
from rag_lessons.exercises.lesson_02 import check_finding, check_numbers_kept, numbers_in
from rag_lessons.exercises.lesson_03 import (
    backwards,
    check_levels,
    check_order,
    in_source_order,
    rare_terms,
    survivors,
    survivors_in_order,
)
from rag_lessons.exercises.lesson_04 import ScoredChunk, check_lost_question, check_route, lost_questions
from rag_lessons.exercises.lesson_05 import (
    check_explanation,
    check_packing,
    evidence_reached,
    in_rank_order,
    trace_to_explain,
)
from rag_lessons.exercises.lesson_06 import FIVE, check_cuts, check_middle, evidence_by_cut
from rag_lessons.exercises.lesson_07 import check_narrowing, check_two_windows, long_questions, long_text
from rag_lessons.exercises.lesson_08 import check_qualified, check_shares, qualifies, tokens_by_line
from rag_lessons.exercises.lesson_09 import check_margin, check_room, counted_pairs
from rag_lessons.exercises.lesson_10 import check_choice, check_headings
from rag_lessons.exercises.lesson_11 import check_nothing, check_reduce
from rag_lessons.exercises.lesson_12 import check_paired, check_pipeline, prompt_tokens
from rag_lessons.exercises.lesson_13 import check_fusion, check_numbers

__all__ = [
    "check_margin",
    "check_room",
    "counted_pairs",
    "check_choice",
    "check_headings",
    "check_nothing",
    "check_reduce",
    "check_narrowing",
    "check_two_windows",
    "long_questions",
    "long_text",
    "check_qualified",
    "check_shares",
    "qualifies",
    "tokens_by_line",
    "FIVE",
    "check_cuts",
    "check_middle",
    "evidence_by_cut",
    "check_paired",
    "check_pipeline",
    "prompt_tokens",
    "check_fusion",
    "check_numbers",
    "ScoredChunk",
    "check_lost_question",
    "check_route",
    "lost_questions",
    "check_finding",
    "check_numbers_kept",
    "numbers_in",
    "backwards",
    "check_levels",
    "check_order",
    "in_source_order",
    "rare_terms",
    "survivors",
    "survivors_in_order",
    "Feedback",
    "check_explanation",
    "check_four",
    "check_overlap",
    "check_whole_fences",
    "check_packing",
    "check_reading",
    "evidence_reached",
    "in_rank_order",
    "trace_to_explain",
]
