"""The completion of a command line, for whatever kind of screen it stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

Complete = Callable[[str], list[str]]
"""Give what the last word of a line may become."""


class WordCompleter(Completer):
    """Completes the word at the cursor."""

    def __init__(self, complete: Complete) -> None:
        """Take what gives the words."""
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Give what the word before the cursor may become."""
        del complete_event
        word = document.get_word_before_cursor(WORD=True)
        for each in self._complete(document.text_before_cursor):
            yield Completion(each, start_position=-len(word))
