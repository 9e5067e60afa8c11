"""For each check, answers that are plausible and wrong; the first breaks a rule, the others miss the point."""

SENTENCES = (
    "from rag_lessons.chunking import group_spans\n"
    "from rag_lessons.sentences import sentence_spans\n\n\n"
    "def overlapping_sentences(text, target, repeat):\n"
)
FENCES = (
    "import re\n\n"
    "from rag_lessons.chunking import chunk_paragraphs, group_spans, split_span\n"
    "from rag_lessons.markdown import chunk_markdown, markdown_blocks\n\n\n"
    "def whole_fences(text, target):\n"
)
ASKING = (
    "from dataclasses import replace\n\n"
    "from rag_lessons import ask, data_folder, default_settings, load_documents, prepare_index\n"
    "from rag_lessons.metrics import trace_spans\n\n"
    "index = prepare_index(load_documents(data_folder('handbook'))[0])\n\n\n"
)
ENDS = "def my_middle(tokens, budget):\n"
FITS = "    if len(tokens) <= budget:\n        return tokens\n"
BOOTSTRAP = (
    "import random\nfrom statistics import fmean\n\ndraw = random.Random(0)\n\n\n"
    "def interval(values, k=121, cut=25):\n"
    "    means = sorted(fmean(draw.choices(values, k=k)) for _ in range(1000))\n"
    "    return means[cut], means[999 - cut]\n\n\n"
    "def my_interval(ours, theirs):\n"
)

BEST_FIRST = (
    "from rag_lessons.tokens import estimate_tokens\n\n\n"
    "def best_first(sentences, scores, room):\n"
    "    taken = []\n"
    "    for i in sorted(range(len(sentences)), key=lambda i: -scores[i]):\n"
    "        if estimate_tokens(' '.join(sentences[j] for j in sorted([*taken, i]))) <= room:\n"
    "            taken.append(i)\n"
    "    return taken\n\n\n"
    "def my_summary(sentences, scores, room):\n"
)
BY_SIZE = (
    "def choose_mine(ratio):\n    if ratio <= 0.8:\n        return 'full document'\n"
    "    if ratio <= 1.5:\n        return 'smart selection'\n    if ratio <= 3:\n        return 'hybrid'\n"
)
ROOM = (
    "from rag_lessons.planning import message_tokens, share_of\n"
    "from rag_lessons.tokens import estimate_tokens\n\n\n"
    "def room_for(window, margin, reserve, messages):\n"
)
MARGIN = "def safe_margin(pairs):\n"
RUNS = "from rag_lessons.runs import best_run, ends_within\n\n\ndef two_windows(values, costs, budget):\n"

WRONG = {
    "check_overlap": [
        SENTENCES + "    return group_spans(sentence_spans(text), target)",
        SENTENCES + "    return [text[start:end] for start, end in sentence_spans(text)]",
        SENTENCES + "    return sentence_spans(text)",
        SENTENCES + "    return [(0, len(text))] if text else []",
        SENTENCES
        + "    found, spans, at = sentence_spans(text), [], 0\n"
        + "    while at < len(found):\n"
        + "        last = at\n"
        + "        while last + 1 < len(found) and found[last + 1][1] - found[at][0] <= target:\n"
        + "            last += 1\n"
        + "        spans.append((found[at][0], found[last][1]))\n"
        + "        at = max(at + 1, last + 1 - repeat)\n"
        + "    return spans",
    ],
    "check_whole_fences": [
        FENCES + "    return chunk_paragraphs(text, target)",
        FENCES + "    return [(chunk.start, chunk.end) for chunk in chunk_markdown(text, target)]",
        FENCES + "    return [(block.start, block.end) for block in markdown_blocks(text)]",
        FENCES + "    return [(b.start, b.end) for b in markdown_blocks(text) if b.kind == 'code']",
        FENCES + "    return [(0, len(text))]",
        FENCES
        + "    parts = [m.span() for m in re.finditer(r'```.*?```|(?:(?!```).)+', text, re.DOTALL)]\n"
        + "    units = []\n"
        + "    for start, end in parts:\n"
        + "        fence = text.startswith('```', start)\n"
        + "        units += [(start, end)] if fence else split_span(text, start, end, target)\n"
        + "    return group_spans(units, target)",
    ],
    "check_lost_question": [
        "my_question, my_evidence, lost_level = 'q053', None, 'document'",
        "my_question, my_evidence, lost_level = 'q001', None, 'document'",
        "my_question, my_evidence, lost_level = 'q047', None, 'chunk'",
        "my_question, my_evidence, lost_level = 'q124', None, 'document'",
        "my_question, my_evidence, lost_level = 'q094', None, 'document'",
        "my_question, my_evidence, lost_level = 'Who rings the bell?', None, 'document'",
        "my_question, my_evidence, lost_level = 'Who rings?', ('notice_freezer.md', 'no such words'), 'chunk'",
    ],
    "check_route": [
        "def my_route(question, documents, chunks):\n    return [chunk.chunk_id for chunk in chunks]",
        "def my_route(question, documents, chunks):\n    return chunks[:4]",
        "def my_route(question, documents, chunks):\n"
        "    return [c.chunk_id for c in sorted(chunks, key=lambda c: -c.by_summary)[:4]]",
        "def my_route(question, documents, chunks):\n    first = sorted(documents, key=lambda d: -documents[d])[:2]\n"
        "    inside = [c for c in chunks if c.doc_id in first]\n"
        "    return [c.chunk_id for c in sorted(inside, key=lambda c: -c.by_text)[:4]]",
    ],
    "check_levels": [
        "def my_levels(count, each, budget, made):\n    return None",
        "def my_levels(count, each, budget, made):\n    import math\n    return math.ceil(math.log2(count))",
        "def my_levels(count, each, budget, made):\n    levels = 0\n    while count > 1:\n"
        "        count, levels = count // max(2, budget // each), levels + 1\n    return levels",
        "def my_levels(count, each, budget, made):\n    levels = 0\n    while count > 1:\n"
        "        count, levels = -(-count // max(2, budget // each)), levels + 1\n    return levels",
        "def my_levels(count, each, budget, made):\n    levels = 1\n    while count > 1:\n"
        "        count, each, levels = -(-count // max(2, budget // each)), made, levels + 1\n    return levels",
    ],
    "check_order": [
        "def my_order(summaries):\n    return None",
        "def my_order(summaries):\n    return list(range(len(summaries)))",
        "def my_order(summaries):\n    return [0] * len(summaries)",
        "def my_order(summaries):\n    return sorted(range(len(summaries)), key=lambda i: len(summaries[i]))",
        "def my_order(summaries):\n    import random\n    return random.sample(range(len(summaries)), len(summaries))",
    ],
    "check_reading": [
        "candidates, left_over, quoted_chunk = 2, 19, 4",
        "candidates, left_over, quoted_chunk = 7, 231, 4",
        "candidates, left_over, quoted_chunk = 7, 19, 5",
    ],
    "check_four": ["my_budget = 250", "my_budget = 1200", "my_budget = -1", "my_budget = '464'"],
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
    "check_numbers_kept": [
        "def keep_numbers(text):\n    return text",
        "def keep_numbers(text):\n    return ' '.join(numbers_in(text))",
        "def keep_numbers(text):\n    return text[: len(text) // 2]",
        "def keep_numbers(text):\n    return text.split('. ')[:2]",
        "def keep_numbers(text):\n    return text.split('. ')[0] + ' Numbers: ' + ' '.join(numbers_in(text))",
    ],
    "check_finding": [
        "def to_be_found(text, rarity):\n    return text",
        "def to_be_found(text, rarity):\n    return text[: len(text) // 2]",
        "def to_be_found(text, rarity):\n    return ' '.join(sorted(text.split(), key=rarity)[:20])",
        "def to_be_found(text, rarity):\n    return 'a summary for retrieval'",
        "def to_be_found(text, rarity):\n    from rag_lessons.summarizing import CentroidSummarizer\n"
        "    return CentroidSummarizer()(text, 2).text",
    ],
    "check_shares": [
        "my_shares = {'head': 0.75, 'tail': 0.75, 'middle': 0.75, 'two_documents': 0.75}",
        "my_shares = {'head': 0, 'tail': 1, 'middle': 1, 'two_documents': 1}",
        "my_shares = {'head': 0, 'tail': 0, 'middle': 0, 'two_documents': 0}",
        "my_shares = {'head': 0, 'tail': 0.5}",
        "my_shares = {'head': 0, 'tail': 0.5, 'middle': 75, 'two_documents': 75}",
        "my_shares = 0.75",
    ],
    "check_qualified": [
        "def my_summary(sentences, scores, room):\n    return []",
        "def my_summary(sentences, scores, room):\n    return list(range(len(sentences)))",
        "def my_summary(sentences, scores, room):\n    return sentences[:2]",
        BEST_FIRST + "    return best_first(sentences, scores, room)",
        BEST_FIRST
        + "    taken = best_first(sentences, scores, room)\n"
        + "    more = {i + 1 for i in taken if i + 1 < len(sentences) and qualifies(sentences[i + 1])}\n"
        + "    return sorted({*taken, *more})",
        BEST_FIRST
        + "    taken = best_first(sentences, scores, room)\n"
        + "    return [i for i in taken if i + 1 == len(sentences) or not qualifies(sentences[i + 1])][:1]",
    ],
    "check_pipeline": [
        "def my_pipeline(question, budget):\n    return [('fridge.md', 0, 10)]",
        "def my_pipeline(question, budget):\n    return []",
        "def my_pipeline(question, budget):\n    return ['faq_visitors.md']",
        "def my_pipeline(question, budget):\n    return [('faq_visitors.md', 0, 10**6)]",
        "def my_pipeline(question, budget):\n    return [('faq_visitors.md', 0, 3000)]",
        ASKING
        + "def my_pipeline(question, budget):\n    return trace_spans(ask(question, index, 250, default_settings()))",
        ASKING
        + "flat = replace(default_settings(), policy='first-fit')\n"
        + "flat = replace(flat, route=replace(flat.route, summary=0, document=0, neighbours=0))\n\n\n"
        + "def my_pipeline(question, budget):\n    return trace_spans(ask(question, index, budget, flat))",
    ],
    "check_middle": [
        ENDS + "    half = budget // 2\n    return tokens[:half] + tokens[-half:]",
        ENDS + "    half = budget // 2\n    return tokens[:half] + ['[...]'] + tokens[len(tokens) - half :]",
        ENDS
        + FITS
        + "    half = (budget - 1) // 2\n    return tokens[:half] + ['[...]'] + tokens[len(tokens) - half :]",
        ENDS
        + FITS
        + "    room = budget - 1 if budget >= 3 else budget\n"
        + "    front = room // 2\n"
        + "    middle = ['[...]'] if budget >= 3 else []\n"
        + "    return tokens[:front] + middle + tokens[len(tokens) - room + front :]",
        ENDS
        + FITS
        + "    front = (budget + 1) // 2\n    return tokens[:front] + tokens[len(tokens) - budget + front :]",
        ENDS + FITS + "    return tokens[:budget]",
        ENDS
        + FITS
        + "    if budget < 3:\n        return tokens[:budget]\n"
        + "    front = budget // 2\n    back = budget - 1 - front\n"
        + "    return tokens[:front] + ['[...]'] + tokens[-back:]",
        ENDS + "    return ' '.join(tokens[:budget])",
    ],
    "check_cuts": [
        "my_cuts = dict.fromkeys(FIVE, 'head')",
        "my_cuts = dict.fromkeys(FIVE, 'tail')",
        "my_cuts = dict.fromkeys(FIVE, 'best')",
        "my_cuts = dict.fromkeys(FIVE[:4], 'tail')",
        "my_cuts = ['tail', 'tail', 'middle', 'middle', 'head']",
        "my_cuts = dict(zip(FIVE, ('tail', 'tail', 'tail', 'head', 'head')))",
    ],
    "check_paired": [
        "def my_interval(ours, theirs):\n    return sum(ours) / len(ours) - sum(theirs) / len(theirs)",
        BOOTSTRAP
        + "    differences = sorted(a - b for a, b in zip(ours, theirs))\n    return differences[3], differences[117]",
        BOOTSTRAP + "    return interval([b - a for a, b in zip(ours, theirs)])",
        BOOTSTRAP + "    return interval([a - b for a, b in zip(ours, theirs)])[::-1]",
        BOOTSTRAP + "    (a, b), (c, d) = interval(ours), interval(theirs)\n" + "    return a - d, b - c",
        BOOTSTRAP + "    return interval([a - b for a, b in zip(ours, theirs)], cut=0)",
        BOOTSTRAP + "    return interval([a - b for a, b in zip(ours, theirs)], k=20)",
    ],
    "check_two_windows": [
        "def two_windows(values, costs, budget):\n    return 3",
        "def two_windows(values, costs, budget):\n    return [2, 5]",
        "def two_windows(values, costs, budget):\n    return [(0, len(values))]",
        RUNS + "    return [best_run(values, ends_within(costs, budget))]",
        RUNS + "    return [best_run(values, ends_within(costs, budget // 2))] * 2",
        RUNS
        + "    first = best_run(values, ends_within(costs, budget // 2))\n"
        + "    rest = [budget + 1 if first[0] <= i < first[1] else cost for i, cost in enumerate(costs)]\n"
        + "    return [first, best_run(values, ends_within(rest, budget // 2))]",
    ],
    "check_narrowing": [
        "def narrow(question, text, paragraphs, room):\n    return text[:room]",
        "def narrow(question, text, paragraphs, room):\n    return 0, room",
        "def narrow(question, text, paragraphs, room):\n    return 0, len(text)",
        "def narrow(question, text, paragraphs, room):\n    return len(text), len(text) + room",
        "def narrow(question, text, paragraphs, room):\n"
        "    from rag_lessons.runs import relevance\n"
        "    return paragraphs[int(relevance(text, paragraphs, question).argmax())]",
        "def narrow(question, text, paragraphs, room):\n"
        "    asked = set(question.lower().split())\n"
        "    return max(paragraphs, key=lambda p: len(asked & set(text[slice(*p)].lower().split())))",
    ],
    "check_choice": [
        "def choose_mine(ratio):\n    return ratio",
        "def choose_mine(ratio):\n    return 'full document'",
        "def choose_mine(ratio):\n    return 'smart selection'",
        "def choose_mine(ratio):\n    return 'full document' if ratio <= 1 else 'map-reduce'",
        BY_SIZE + "    return 'map-reduce'",
        BY_SIZE + "    return 'full document'",
    ],
    "check_reduce": [
        "def reduce_findings(findings):\n    return '\\n'.join(f'{s}: {t}' for s, t in findings)",
        "def reduce_findings(findings):\n    return '\\n'.join({t: f'{s}: {t}' for s, t in findings}.values())",
        "def reduce_findings(findings):\n"
        "    import re\n"
        "    seen = {}\n"
        "    for s, t in findings:\n"
        "        seen.setdefault(re.sub(r'[0-9]+', '#', t.lower()), []).append((s, t))\n"
        "    return '\\n'.join(', '.join(s for s, _ in g) + ': ' + g[0][1] for g in seen.values())",
        "def reduce_findings(findings):\n    return sorted(findings)",
    ],
    "check_nothing": [
        "def says_nothing(answer):\n    return 'NO_RELEVANT_INFO' in answer",
        "def says_nothing(answer):\n    return answer == 'NO_RELEVANT_INFO'",
        "def says_nothing(answer):\n    return answer.strip(' .*`\\n').lower() == 'no_relevant_info'",
        "def says_nothing(answer):\n    return answer.strip(' .*`\\n').lower().startswith('no_relevant_info')",
    ],
    "check_headings": [
        "def count_headings(text):\n    return [line for line in text.splitlines() if line.startswith('#')]",
        "def count_headings(text):\n    return text.count('#')",
        "def count_headings(text):\n    return sum(line.startswith('#') for line in text.splitlines())",
        "def count_headings(text):\n"
        "    import re\n"
        "    return len(re.findall(r'^ {0,3}#{1,6}(?:[ ]|$)', text, re.MULTILINE))",
        "def count_headings(text):\n"
        "    import re\n"
        "    bare = re.sub(r'^```.*?(?:^```|\\Z)', '', text, flags=re.MULTILINE | re.DOTALL)\n"
        "    return len(re.findall(r'^ {0,3}#{1,6}(?:[ ]|$)', bare, re.MULTILINE))",
    ],
    "check_room": [
        ROOM + "    return float(window * margin)",
        ROOM + "    return share_of(window, margin) - reserve",
        ROOM + "    return share_of(window, margin) - reserve - sum(map(estimate_tokens, messages)) - 10",
        ROOM + "    return share_of(window, margin) - reserve - sum(len(text) // 4 + 4 for text in messages) - 2",
        ROOM + "    return share_of(window, margin) - reserve - message_tokens(messages)",
        ROOM + "    return max(0, share_of(window, margin) - reserve - message_tokens(messages))",
        ROOM
        + "    room = int(window * margin) - reserve - message_tokens(messages)\n"
        + "    if room < 0:\n        raise ValueError(room)\n    return room",
        ROOM
        + "    room = share_of(window - reserve, margin) - message_tokens(messages)\n"
        + "    if room < 0:\n        raise ValueError(room)\n    return room",
    ],
    "check_margin": [
        MARGIN + "    return None",
        MARGIN + "    return 0.9",
        MARGIN + "    return 0.5",
        MARGIN + "    return min(estimate / exact for estimate, exact in pairs)",
        MARGIN + "    return min(1, sum(e for e, _ in pairs) / sum(exact for _, exact in pairs))",
        MARGIN + "    return min(1, round(min(e / exact for e, exact in pairs), 2))",
        MARGIN + "    return min(1, int(100 * min(e / exact for e, exact in pairs)) / 100)",
        MARGIN + "    return max(100 * e // exact for e, exact in pairs) / 100",
    ],
    "check_fusion": [
        "def fuse_ranks(a, b):\n    return None",
        "def fuse_ranks(a, b):\n    return list(a) + list(b)",
        "def fuse_ranks(a, b):\n    return list(dict.fromkeys([*a, *b]))",
        "def fuse_ranks(a, b):\n    return sorted(set(a) & set(b))",
        "def fuse_ranks(a, b):\n"
        "    scores = {}\n"
        "    for ranks in (a, b):\n"
        "        for rank, place in enumerate(ranks):\n"
        "            scores[place] = scores.get(place, 0) + 1 / (1 + rank)\n"
        "    return sorted(scores, key=lambda place: (-scores[place], place))",
        "def fuse_ranks(a, b):\n"
        "    scores = {}\n"
        "    for ranks in (a, b):\n"
        "        for rank, place in enumerate(ranks, 1):\n"
        "            scores[place] = scores.get(place, 0) + 1 / (60 + rank)\n"
        "    return sorted(scores, key=lambda place: -scores[place])",
    ],
    "check_numbers": [
        "def unsupported(answer, context):\n    return 0",
        "def unsupported(answer, context):\n    return [w for w in answer.split() if w not in context]",
        "def unsupported(answer, context):\n"
        "    import re\n"
        "    return [n for n in re.findall(r'\\d+', answer) if n not in context]",
        "def unsupported(answer, context):\n"
        "    import re\n"
        "    return [n for n in re.findall(r'[\\d.,]+', answer) if n not in re.findall(r'[\\d.,]+', context)]",
        "def unsupported(answer, context):\n"
        "    import re\n"
        "    find = lambda text: re.findall(r'\\d+(?:[.,]\\d+)*', text)\n"
        "    return sorted(set(find(answer)) - set(find(context)))",
        "def unsupported(answer, context):\n"
        "    import re\n"
        "    find = lambda text: re.findall(r'\\d+(?:[.,]\\d+)*', text)\n"
        "    return [n for n in find(answer) if n not in find(context)]",
    ],
}
