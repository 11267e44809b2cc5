"""A list as the whole body of a request, as `curl --data-binary @list.csv` sends it."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import IO, Any, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.encoding import force_str
from drf_spectacular.drainage import get_override
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.parsers import DataAndFiles, FileUploadParser
from rest_framework.request import Request

from resolver.api.openapi.parameters import FLAG, TEXT, UUID_TEXT, query
from resolver.api.problem_types import InvalidInput, TooLarge
from resolver.services.uploads.stored_uploads import Upload, UploadTooLarge, is_body_too_long
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import Origin
from resolver.sheets.input.text.json_lines_as_csv import JsonLinesTable

JSON_LINES = "application/x-ndjson"
FILE_TYPES: Mapping[str, str] = {
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/plain": "txt",
    JSON_LINES: "ndjson",
    "application/gzip": "gz",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "xlsb",
    **{media_type: form.endings[0] for form in FORMATS.values() for media_type in form.media_types},
}
"""The media types of a file, each with the ending of its name. How the file is read is found out from its content."""


class FileBodyParser(FileUploadParser):
    """Takes the body as one file, through the upload handlers. Its name is in the query (`filename`), in the header
    Content-Disposition, or made from the media type."""

    media_types = FILE_TYPES
    codings = ("gzip", "x-gzip")  # as of any file, found by the content

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> DataAndFiles:
        """Return the file, which Django closes with the request, as it does for forms."""
        parsed = super().parse(stream, media_type, parser_context)
        parser_context["request"]._request._files = MultiValueDict({"file": [parsed.files["file"]]})
        return parsed

    def get_filename(self, stream: Any, media_type: str | None, parser_context: Any) -> str:
        """Return the name of the file. Raises InvalidInput."""
        request: Request = parser_context["request"]
        sent = request.query_params.get("filename") or super().get_filename(stream, media_type, parser_context)
        name = PurePosixPath(sent or f"list.{FILE_TYPES[_read_media_type(request)]}").name
        if name in {"", ".."}:  # Django takes neither for the name of a file
            raise InvalidInput(errors={"filename": ["This is the name of a folder. Send the name of a file."]})
        return name


def refuse_oversized(request: Request) -> None:
    """Raise TooLarge by the announced length, before the body is parsed to disk."""
    if is_body_too_long(request.META.get("CONTENT_LENGTH") or ""):
        sentence = str(UploadTooLarge(settings.MAX_UPLOAD_BYTES))
        raise TooLarge(sentence, errors={"file": [sentence]})


def is_file_body(request: Request) -> bool:
    """Return whether the body is the file itself."""
    return _read_media_type(request) in FILE_TYPES


def read_as_table(request: Request, sent: "UploadedFile[bytes]") -> tuple[Upload, Origin]:
    """Return the file and its origin; of a body with an object on each line the table that they are."""
    file = cast("IO[bytes]", sent)
    if _read_media_type(request) == JSON_LINES and JsonLinesTable.fits(file):
        return JsonLinesTable(file, 4 * settings.MAX_FIELD), "json-lines"  # bytes of a character in UTF-8, at most
    return sent, "file"


def find_charset(request: Request, sent: "UploadedFile[bytes]") -> str:
    """Return the `charset` beside the media type of the file, "" without one."""
    if is_file_body(request):
        return str((request._request.content_params or {}).get("charset", ""))
    return force_str(sent.charset or "", "latin-1")  # Django has the bytes of the header


def collect_fields(request: Request) -> QueryDict:
    """Return the fields of a form, which the query has, and the file."""
    fields: QueryDict = request.query_params.copy()
    if "file" in fields:
        raise InvalidInput(errors={"file": ["The file is the body. Send no parameter with this name."]})
    fields.pop("filename", None)
    fields["file"] = request.FILES["file"]
    return fields


def describe_fields(fields: Mapping[str, Any], examples: Mapping[str, Any]) -> list[OpenApiParameter]:
    """Return the fields of a form as query parameters, with the examples of these fields."""
    return [
        query("filename", "With the file as the body: its name.", "list.csv"),
        *(_describe(name, field, examples[name]) for name, field in fields.items() if name != "file"),
    ]


def _describe(name: str, field: serializers.Field, example: Any) -> OpenApiParameter:
    sentence = f"With the file as the body: {field.help_text}"
    match field:
        case serializers.BooleanField():
            return query(name, sentence, "true", FLAG)
        case serializers.IntegerField():
            whole = {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
            return query(name, sentence, example, whole)
        case serializers.UUIDField():
            return query(name, sentence, example, UUID_TEXT)
        case _:
            return query(name, sentence, example, get_override(field, "field", TEXT))


def _read_media_type(request: Request) -> str:
    return (request.content_type or "").partition(";")[0].strip().lower()
