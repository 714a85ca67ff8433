"""The answers to predictions, taken out of the pages and collected on a page of their own.

The question stays where it is, with a number and the way to its answer. What a cell prints after
it stays, too: the text goes on with it.
"""

from lxml.html import HtmlElement

from headway.editions.contents import Book, Page
from headway.editions.trees import element, of_class, remove

NAME = "answers"
TITLE = "Answers to the predictions"
INTRODUCTION = (
    "A number leads back to the question. Where a cell of code follows a question, "
    "its output shows the answer, too."
)


def collect_answers(book: Book) -> None:
    """Add a page with all answers at the end of the book; none if it has no predictions."""
    content = element("section", "", element("h1", TITLE), element("p", INTRODUCTION), id=NAME)
    number = 0
    for page in book.pages:
        answers = element("section", "", element("h2", page.title))
        for fold in of_class(page.content, "hw-predict"):
            number += 1
            answers.append(take_answer(fold, page, number))
        if len(answers) > 1:
            answers.set("id", f"answers-{page.name}")
            content.append(answers)
    if number:
        book.pages.append(Page(NAME, TITLE, content, book.pages[-1].part))


def take_answer(fold: HtmlElement, page: Page, number: int) -> HtmlElement:
    """Leave the question of a fold in its place, and return its answer.

    Two forms come from the site: a fold whose summary asks, and a box (`hw-ask`) that holds the
    question, the form for a guess and a fold with the answer.
    """
    (answer,) = of_class(fold, "hw-predict-answer")
    remove(answer)
    summary = fold.find("summary")
    box = fold.getparent()
    if "hw-ask" in box.classes:
        (question,) = of_class(box, "hw-asked")
        offered = choices(box)
        remove(*of_class(box, "hw-guess"), fold)
    else:
        question, box, offered = summary, fold, ""
        box.tag = "div"
        box.set("class", "hw-ask")
        question.tag = "p"
        question.set("class", "hw-asked")
    box.set("id", f"question-{number}")
    label = next(of_class(question, "hw-label"), None)
    if label is not None:
        label.text = f"Predict {number}"
    else:  # of a self-check
        label = element("span", f"Question {number}", class_="hw-label")
        label.tail, question.text = f" {question.text or ''}", None
        question.insert(0, label)
    if offered:
        box.append(element("p", offered, class_="hw-choices"))
    way = element("a", "Answer", href=f"{NAME}.html#answer-{number}", class_="hw-way")
    box.append(element("p", "", way, class_="hw-where"))
    back = element("a", str(number), href=f"{page.name}.html#question-{number}", class_="hw-back")
    answer.set("class", "hw-answer")
    head = answer[0] if len(answer) and answer[0].tag == "p" else element("p")
    if head.getparent() is None:
        answer.insert(0, head)
    back.tail, head.text = f" {head.text or ''}", None
    head.insert(0, back)
    answer.set("id", f"answer-{number}")
    return answer


def choices(box: HtmlElement) -> str:
    """What can be chosen, in a sentence; empty where a number is asked."""
    offered = [button.get("value") for button in box.xpath(".//button[@value]")]
    return f"Choose: {', '.join(offered[:-1])} or {offered[-1]}." if offered else ""
