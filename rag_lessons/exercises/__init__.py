"""Checks for the exercises: each says in words what is still wrong."""

from rag_lessons.exercises.feedback import Feedback
from rag_lessons.exercises.lesson_05 import check_explanation, check_packing, evidence_reached, in_rank_order, trace_to_explain

__all__ = ["Feedback", "check_explanation", "check_packing", "evidence_reached", "in_rank_order", "trace_to_explain"]
