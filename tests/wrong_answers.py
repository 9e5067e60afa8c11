"""For each check, answers that are plausible and wrong; the first breaks a rule, the others miss the point."""

WRONG = {
    "check_packing": [
        "def my_policy(question, items, budget):\n    return list(range(len(items)))",
        "def my_policy(question, items, budget):\n    return in_rank_order(question, items, budget)",
        "def my_policy(question, items, budget):\n    return [0, 0] if items and budget else []",
        "def my_policy(question, items, budget):\n    raise KeyError('score')",
    ],
    "check_explanation": [
        "verdict, smallest_budget = 'missed by retrieval', 459",
        "verdict, smallest_budget = 'dropped by the budget', 458",
        "verdict, smallest_budget = 'dropped by the budget', 460",
        "verdict, smallest_budget = 'dropped by the budget', None",
    ],
}
