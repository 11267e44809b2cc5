"""The form that chooses a language."""

from django.contrib.auth.decorators import login_not_required
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

# The form is in the footer of every page, and a token would make each page set a cookie. A forged request can only
# change the language. `set_language` redirects to no other site.
choose_language = login_not_required(csrf_exempt(require_POST(set_language)))
