"""What the specification says of answers, as JSON Schemas in our own words: stricter than the published ones, since a
member that we never send is an error here.

https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/, sections 2, 3.1, 4, 6 and 7. The
published schemas are tried with `python -m tests.reconcile.published_schemas FOLDER`.
"""

from typing import Any

Schema = dict[str, Any]


def one_of(required: Schema, **optional: Schema) -> Schema:
    """An object with these members and no other."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def many(schema: Schema, **bounds: Any) -> Schema:
    return {"type": "array", "items": schema, **bounds}


def by_key(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}
WEB: Schema = {"type": "string", "pattern": "^https?://[^/]+"}
TEMPLATE: Schema = {"type": "string", "pattern": r"^https?://[^/].*\{\{id\}\}"}
PLACE = one_of({"service_url": WEB, "service_path": {"type": "string", "pattern": "^/"}})
TYPE = one_of({"id": NAME, "name": NAME})
CANDIDATE = one_of(
    {
        "id": {"type": "string", "pattern": "^10[.].+/."},
        "name": NAME,
        "score": {"type": "number", "minimum": 0, "maximum": 100},
        "match": {"type": "boolean"},
        "type": many(TYPE, minItems=1),
    },
    description=NAME,
)
VALUE = {
    "oneOf": [one_of({"str": TEXT}), one_of({"date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT[0-9:]{8}Z$"}})]
}

MANIFEST = one_of(
    {
        "versions": {"const": ["0.2"]},
        "name": NAME,
        "identifierSpace": WEB,
        "schemaSpace": WEB,
        "documentation": WEB,
        "defaultTypes": many(TYPE, minItems=1, uniqueItems=True),
        "view": one_of({"url": TEMPLATE}),
        "preview": one_of({"url": TEMPLATE, "width": {"type": "integer"}, "height": {"type": "integer"}}),
        "suggest": one_of({"entity": PLACE, "property": PLACE}),
        "extend": one_of({"propose_properties": PLACE, "property_settings": many({})}),
        "batchSize": {"enum": [10, 50]},
    }
)
RESULT_BATCH = by_key(one_of({"result": many(CANDIDATE, maxItems=20)}))
EXTENSION = one_of(
    {"meta": many(one_of({"id": NAME, "name": NAME})), "rows": by_key(by_key(many(VALUE)))},
)
PROPOSAL = one_of(
    {"properties": many(one_of({"id": NAME, "name": NAME, "description": NAME})), "type": TEXT},
    limit={"type": "integer"},
)
SUGGESTED_PROPERTIES = one_of({"result": many(one_of({"id": NAME, "name": NAME, "description": NAME}))})
SUGGESTED_ENTITIES = one_of(
    {"result": many(one_of({"id": NAME, "name": NAME, "notable": many(TYPE)}, description=NAME))}
)

BY_FILE = {
    "manifest.json": MANIFEST,
    "reconciliation-result-batch.json": RESULT_BATCH,
    "data-extension-response.json": EXTENSION,
    "data-extension-property-proposal.json": PROPOSAL,
    "suggest-properties-response.json": SUGGESTED_PROPERTIES,
    "suggest-entities-response.json": SUGGESTED_ENTITIES,
}
"""By the names of the published files."""
