"""The use cases: look up a name, check a list, compare two lists. Only they write rows.

The exceptions that a caller meets. docs/for-contributors.md has what pages, REST and the shell make of them (Errors).

    Exception
    ├── Paused                  proxy/limits/request_deadline.py; `seconds`: when to retry. The proxy refused requests.
    │   ├── ServicePaused       proxy/metadata_requests.py; `host`: an agency's service demands fewer requests.
    │   ├── TimeLimitReached    The answers for one lookup take more than 18 seconds.
    │   └── ProxyBusy           proxy_answers/waiting_places.py: the proxy is slow and enough requests wait for it.
    │       └── TurnedBack      The web server keeps the request without a thread and runs it again later.
    ├── LookupPaused            lookups/look_up.py: Paused, in a sentence for a person.
    ├── UnreadableFile          sheets/errors.py; `reason`, `line`. The file is no table that can be read.
    │   ├── NeedsChoice         `about`: the setting that may help (sheet, encoding, column …).
    │   │   └── NoDoiColumn     sheets/input/header_and_column.py: no column was named, and none holds DOIs.
    │   └── TooMuchText         jobs/import_rows.py: the list takes too much room. It becomes its error.
    ├── TooManyColumns          sheets/output/xlsx.py, a ValueError: more columns than a sheet of a workbook holds.
    ├── UploadTooLarge          uploads/stored_uploads.py; `limit`: MAX_UPLOAD_BYTES.
    ├── JobStillRunning         jobs/lifecycle.py; `job`. Its results, a retry, a rerun or a comparison was wanted.
    ├── JobChanged              results/export.py: the job was retried or deleted during a download.
    ├── NoOriginalFile          results/no_original_file.py; `reason`: why the uploaded file can't come back corrected.
    ├── NoExpectedAddresses     results/address_updates.py: the list has no column of expected addresses.
    ├── UnusableDoi             reviews/typed_doi.py, a ValueError: what a person entered is no registered DOI.
    ├── DoiNotChecked           reviews/typed_doi.py: the proxy gave no usable answer about it.
    ├── DecidedMeanwhile        reviews/decisions.py; `row`: how it stands. It is not as the person saw it.
    ├── NoProposal              reviews/decisions.py; `rows`: there is nothing to accept in them.
    ├── CountDiffers            reviews/bulk_decisions.py; `found`: other than expected.
    ├── NothingToUndo           reviews/undo.py: the action is not the last one any more.
    ├── NothingToRetry          jobs/retry.py: every row has its whole answer.
    ├── FileIsGone              uploads/stored_uploads.py: the upload of the list was removed.
    ├── FilesUnreachable        storage/storage_errors.py: the uploaded files are away, or those of other machines.
    ├── NoHosts                 hosts/check.py: no row of the list has a web address.
    ├── HostChecksOff           hosts/check.py: the operator forbids them (HOST_CHECKS).
    ├── TokenNameTaken          logins/api_tokens.py, a ValueError: the account has a token with this name.
    ├── TooManyTokens           logins/api_tokens.py, a ValueError: the account has as many as it may have.
    ├── ForbiddenAddress        proxy/public_addresses.py; `reason`. A webhook may not lead there.
    ├── NoDownload              proxy/file_downloads.py; `reason`. A list of retractions couldn't be downloaded whole.
    ├── UnusableList            retractions/list_file.py; `reason`. The file isn't the list, or not the whole of it.
    ├── EventUnanswered            proxy/webhook_requests.py; `reason`. The receiver of a webhook gave no answer.
    ├── TooManyWebhooks         webhooks/registration.py, a ValueError: the account has as many as it may have.
    ├── WatchRefused            watches/registration.py, a ValueError; `reason`: why the watch can't be as it is wanted.
    ├── LinkSentRecently        watches/mail_addresses.py: a link was sent for the account a moment ago.
    ├── TooManyLinks            watches/mail_addresses.py: as many were sent as one account may send in a day.
    ├── MailNotSent             watches/mails.py: the mail server didn't take the mail.
    │   └── ServerAway          The mail server couldn't be reached, or broke off.
    ├── LastAdministrator       account_data/removal.py: the account is the last one with all rights.
    ├── LoginRefused            logins/identities.py: a provider named a person who may not log in.
    │   ├── NoGroupMayUse       None of the groups may use the portal.
    │   ├── AccountNotTheirs    The account has a password, is another identity's, or is switched off.
    │   └── NoUsername          The provider named no username that an account can have.
    ├── TooManyDois             doi_limits/doi_limit.py; `allowance`: what is left of the caller's DOIs in a minute.
    ├── MoreThanAMinute         doi_limits/doi_limit.py: one request asks about more DOIs than a minute allows.
    ├── QuotaReached            accounts/quotas.py; `quota`, `seconds`: the account has used up its day.
    ├── SearchesUsedUp          works/daily_searches.py: a caller used up the searches for works of the day.
    ├── UploadLimitReached      uploads/daily_upload_bytes.py; `seconds`: an address used up its bytes of the day.
    ├── NoReadingPlace          uploads/reading_places.py; `wait`, in seconds: enough files are being read.
    ├── KeyWasReused            http/idempotent_requests.py: an Idempotency-Key came with another request than before.
    ├── RequestUnderWay         http/idempotent_requests.py; `seconds`: the first request with the key has no answer.
    ├── TooManyGuesses          logins/attempts.py; `seconds`: too many wrong passwords.
    ├── TooManyHashes           logins/password_hasher.py; `seconds`: too many passwords are being hashed.
    └── DoesNotExist            Job, Comparison, Draft: deleted or started since it was looked up.

A full disk or a missing database, Redis or file storage may appear as errors of several libraries.
`storage/storage_errors.py` recognises them for all faces: 507, or 503 (gateway: 500). All others are errors of the
portal: logged, and 500.

No answer from the DOI proxy is no exception. ProxyError and Unreachable (domain/handle/answers.py) are answers, because
they are the outcome of one name.
"""
