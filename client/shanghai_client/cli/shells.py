"""What bash, zsh and fish are told: the script that asks at each Tab, and the answer, in lines that all three read.

An answer is a line `TYPE,VALUE`, with a tab and what is said of it behind where anything is; TYPE is plain, file, dir.
"""

from __future__ import annotations

import os
from typing import Any

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

PROGRAM = "shanghai-rum"
VARIABLE = "_SHANGHAI_RUM_COMPLETE"
"""The variable in which a shell asks for completions: the one that click looks at."""

_BASH = """\
%(complete_func)s() {
    local kind answer
    COMPREPLY=()
    while IFS=, read -r kind answer; do
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("${answer%%%%$'\\t'*}") ;;
        esac
    done < <(env COMP_WORDS="$(printf '%%s\\n' "${COMP_WORDS[@]}")" COMP_CWORD="$COMP_CWORD" \\
        %(complete_var)s=bash_complete "${1/#\\~\\//$HOME/}" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s
%(complete_func)s() {
    local line
    local -a parts bare told
    (( $+commands[%(prog_name)s] )) || return 1
    # What stands behind --option= is a word of its own.
    compset -P '--*='
    for line in "${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \\
        %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}"; do
        parts=("${(@s:\t:)${line#*,}}")
        case ${line%%%%,*} in
            dir) _path_files -/ ;;
            file) _path_files ;;
            plain)
                if (( $#parts > 1 )); then
                    told+=("${parts[1]//:/\\\\:}:${parts[2]}")
                else
                    bare+=("${parts[1]}")
                fi ;;
        esac
    done
    (( $#told )) && _describe -V unsorted told
    (( $#bare )) && compadd -V unsorted -a bare
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH = """\
function %(complete_func)s
    # What stands behind --option= is completed, and the whole word is what takes its place.
    set -l before (string match -r -- '^--[^=]+=' (commandline -ct))
    for line in (env COMP_WORDS=(commandline -cp | string collect) COMP_CWORD=(commandline -ct | string collect) \\
        %(complete_var)s=fish_complete %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 , -- $line)
        switch $parts[1]
            case dir
                for found in (__fish_complete_directories $parts[2])
                    echo -- "$before$found"
                end
            case file
                for found in (__fish_complete_path $parts[2])
                    echo -- "$before$found"
                end
            case plain
                echo -- "$before$parts[2]"
        end
    end
end
complete --no-files --keep-order --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class _Shell(ShellComplete):
    """A shell that is answered in lines as above."""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Give the line of an answer."""
        told = " ".join((item.help or "").split())
        return f"{item.type},{item.value}" + (f"\t{told}" if told else "")


class _Bash(_Shell):
    """Bash takes `=` and `:` for words of their own, and what is completed for what stands behind the last of them."""

    name = "bash"
    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Give the words before the one to complete, and that one, whole."""
        words = split_arg_string(os.environ["COMP_WORDS"])
        number = int(os.environ["COMP_CWORD"])
        told = [*words[:number], words[number] if number < len(words) else ""]
        whole: list[str] = []
        for place, word in enumerate(told):
            parts = place > 1 and (_parts(word, whole[-1]) or _parts(told[place - 1], told[place - 2]))
            if parts:
                whole[-1] += word
            else:
                whole.append(word)
        return whole[1:-1], whole[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """Give what the word can become; the whole word where bash was told that `=` parts nothing."""
        found = super().get_completions(args, incomplete)
        option, equals, _value = split_arg_string(os.environ["COMP_WORDS"])[-1].partition("=")
        if not (equals and option.startswith("--")):
            return found
        return [CompletionItem(f"{option}={item.value}", item.type, item.help) for item in found]


def _parts(word: str, before: str) -> bool:
    """Say whether a word is the sign between two parts of one that bash has taken apart."""
    return word == ":" or (word == "=" and before.startswith("--"))


class _Zsh(_Shell):
    """Zsh says how many words stand before the one to complete."""

    name = "zsh"
    source_template = _ZSH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Give the words before the one to complete, and that one."""
        words = split_arg_string(os.environ["COMP_WORDS"])
        number = int(os.environ["COMP_CWORD"])
        return words[1:number], words[number] if number < len(words) else ""


class _Fish(_Shell):
    """Fish says what stands before the cursor, and the word there."""

    name = "fish"
    source_template = _FISH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Give the words before the one to complete, and that one."""
        words = split_arg_string(os.environ["COMP_WORDS"])
        begun = "".join(split_arg_string(os.environ["COMP_CWORD"])[:1])
        return words[1 : -1 if begun else None], begun


SHELLS: dict[str, type[ShellComplete]] = {each.name: each for each in (_Bash, _Zsh, _Fish)}
"""The shells, by name."""


def answer_shells() -> None:
    """Let the shells be answered as their scripts here expect it, and not as click's own do."""
    for shell in SHELLS.values():
        add_completion_class(shell)
