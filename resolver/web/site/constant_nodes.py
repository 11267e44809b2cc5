"""Parts of templates that are the same on each page in a language, rendered once: translated texts, the addresses of
pages without arguments, those of static files. They are half of the nodes of a page, and nearly half of its time.

Templates that are included by a constant name are put in place of the tag. Django would look each up, and open two
contexts for it. Constants that they get by `with` are known in them."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby
from typing import Any

from django.template import Context, Node, NodeList, Template
from django.template.base import FilterExpression, Parser, TextNode, TokenType, Variable, VariableNode
from django.template.defaulttags import (
    AutoEscapeControlNode,
    CsrfTokenNode,
    IfNode,
    LoadNode,
    TemplateLiteral,
    URLNode,
)
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.utils.translation import gettext

Find = Callable[[str], Template]
Known = Mapping[str, FilterExpression]
"""Variables with constant values."""
_VARIABLES = re.compile(r"%\((\w+)\)s")
_SET_NOTHING = (TextNode, VariableNode, IfNode, CsrfTokenNode, IncludeNode, TranslateNode, BlockTranslateNode, URLNode)


class IncludedNodes(Node):
    """The nodes of an included template, with the variables of its `with`."""

    def __init__(self, tag: IncludeNode, nodelist: NodeList) -> None:
        self.nodelist, self._variables = nodelist, tag.extra_context
        self.token, self.origin = tag.token, tag.origin

    def render(self, context: Context) -> Any:
        """Return what the nodes are in the context."""
        with context.push(**{name: value.resolve(context) for name, value in self._variables.items()}):
            return self.nodelist.render(context)


class FoldedNodes(NodeList):
    """The nodes of a template, which don't change any more. Django looks for the blocks of a parent on each page."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        super().__init__(nodes)
        self._blocks = super().get_nodes_by_type(BlockNode)

    def get_nodes_by_type(self, nodetype: type[Node]) -> Any:
        """Return all nodes of the type within these."""
        return self._blocks if nodetype is BlockNode else super().get_nodes_by_type(nodetype)


def fold(template: Template, find: Find) -> None:
    """Replace the constant nodes of the template by their texts, in the language and below the path that are active
    now. `find` returns a new template by its name."""
    _fold(template.nodelist, template, find, {})
    template.nodelist = FoldedNodes(template.nodelist)


def _fold(nodes: NodeList, template: Template, find: Find, known: Known) -> None:
    folded = [each for node in nodes for each in _fold_node(node, template, find, known)]
    nodes.clear()
    for is_text, group in groupby(folded, lambda node: isinstance(node, TextNode)):
        some = list(group)
        nodes += [TextNode("".join(node.s for node in some if isinstance(node, TextNode)))] if is_text else some


def _fold_node(node: Node, template: Template, find: Find, known: Known) -> Iterable[Node]:
    if isinstance(node, LoadNode):
        return []
    if _is_constant(node, known):
        context = Context({name: value.resolve(Context()) for name, value in known.items()})
        with context.bind_template(template):
            return [TextNode(node.render(context))]
    if isinstance(node, IncludeNode):
        return _fold_include(node, template, find, known)
    if isinstance(node, BlockTranslateNode):
        return _fold_translation(node, known)
    if isinstance(node, IfNode):
        for condition, _ in node.conditions_nodelists:
            _fold_condition(condition, known)
    for nodes in _list_children(node):
        _fold(nodes, template, find, known)
    return [node]


def _fold_translation(tag: BlockTranslateNode, known: Known) -> Iterable[Node]:
    """Return the texts of the translation with its variables between them. Django translates and formats it for each
    page, and opens a context for its `with`."""
    text, names = tag.render_token_list(tag.singular)
    pieces = _VARIABLES.split(gettext(text))
    if tag.asvar or tag.plural or tag.message_context or "%" in "".join(pieces[::2]) or set(pieces[1::2]) - {*names}:
        return [tag]
    values = {**known, **tag.extra_context}
    nodes: list[Node] = []
    for place, piece in enumerate(pieces):
        is_name = place % 2
        nodes.append(
            VariableNode(values.get(piece) or FilterExpression(piece, Parser([]))) if is_name else TextNode(piece)
        )
        nodes[-1].token, nodes[-1].origin = tag.token, tag.origin  # for reports of errors
    return nodes


def _fold_condition(condition: Any, known: Known) -> None:
    """Replace known variables in a condition by their values. It is a tree of operators, and None for `else`."""
    if isinstance(condition, TemplateLiteral):
        value: Any = condition.value
        condition.value = known.get(_find_variable(value), value)
    elif condition is not None:
        for part in (condition.first, condition.second):
            _fold_condition(part, known)


def _find_variable(value: FilterExpression) -> str:
    return str(value.var.var) if isinstance(value.var, Variable) and not value.filters else ""


def _list_children(node: Node) -> Iterable[NodeList]:
    if isinstance(node, IfNode):
        return [nodes for _, nodes in node.conditions_nodelists]
    if isinstance(node, AutoEscapeControlNode):  # in it constants may be others
        return []
    found = (getattr(node, name, None) for name in node.child_nodelists)
    return [nodes for nodes in found if isinstance(nodes, NodeList)]


def _fold_include(node: IncludeNode, template: Template, find: Find, known: Known) -> Iterable[Node]:
    name = node.template.var
    if not isinstance(name, str) or name.startswith(".") or node.template.filters:
        return [node]
    if node.isolated_context:
        return [node] if node.extra_context else [TextNode(find(name).render(Context()))]
    nodes = find(name).nodelist
    if nodes.get_nodes_by_type((BlockNode, ExtendsNode)):  # type: ignore[arg-type]
        return [node]
    changes_nothing = _sets_nothing(nodes)
    own = {name: value for name, value in node.extra_context.items() if _is_constant_value(value, {})}
    around = {name: value for name, value in known.items() if name not in node.extra_context}
    _fold(nodes, template, find, {**around, **own} if changes_nothing else {})
    if changes_nothing and not _uses_any(nodes, node.extra_context):
        return nodes
    return [IncludedNodes(node, nodes)]


def _sets_nothing(nodes: NodeList) -> bool:
    """Return whether no node gives a variable another value."""
    return all(
        isinstance(node, _SET_NOTHING)
        and not getattr(node, "asvar", None)
        and all(map(_sets_nothing, _list_children(node)))
        for node in nodes
    )


def _uses_any(nodes: NodeList, names: Collection[str]) -> bool:
    """Return whether the nodes may use one of these variables."""
    if not names:
        return False
    return any(
        not isinstance(node, TextNode | IfNode | CsrfTokenNode)
        or (isinstance(node, IfNode) and any(_tests_any(one, names) for one, _ in node.conditions_nodelists))
        or any(_uses_any(each, names) for each in _list_children(node))
        for node in nodes
    )


def _tests_any(condition: Any, names: Collection[str]) -> bool:
    if isinstance(condition, TemplateLiteral):
        value: Any = condition.value
        return bool(value.filters) or str(getattr(value.var, "var", "")).partition(".")[0] in names
    return condition is not None and any(_tests_any(part, names) for part in (condition.first, condition.second))


def _is_constant(node: Node, known: Known) -> bool:
    match node:
        case TranslateNode():
            context = node.message_context
            return not (node.asvar or node.noop or context) and _is_constant_value(node.filter_expression, {})
        case BlockTranslateNode():
            if node.asvar or node.plural or node.extra_context or node.message_context:
                return False
            return all(token.contents in known for token in node.singular if token.token_type == TokenType.VAR)
        case URLNode():
            values = [node.view_name, *node.args, *node.kwargs.values()]
            return not node.asvar and all(_is_constant_value(value, known) for value in values)
        case StaticNode():
            return not node.varname and _is_constant_value(node.path, known)
        case VariableNode():
            return _is_constant_value(node.filter_expression, known)
    return False


def _is_constant_value(value: FilterExpression, known: Known) -> bool:
    if not isinstance(value.var, Variable):
        return not value.filters
    return not value.filters and (value.var.literal is not None or value.var.var in known)
