"""Faults that people make, uploads and downloads that break off, and a full disk: each with a course of its own."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import requests

from benchmarks.fault_scenes import FaultScene, FaultStory
from tests.faults import lists, people
from tests.faults.portal import KillablePortal

Course = Callable[[FaultScene], FaultStory]
WIDE = 4000  # characters of a cell beside the DOI, so that the results do not fit into the buffers of a socket


def told(scene: FaultScene, fault: str, before: int, *, holds: bool = True, why: str = "", job: str = "") -> FaultStory:
    """A line about a job that is still there."""
    verdict = lists.judge(scene.visitor, job or scene.job_id, scene.label, scene.expected)
    words = "; ".join([*verdict.faults, *([] if holds else [why])])
    return FaultStory(
        fault,
        f"{before:,} / {verdict.with_outcome:,} of {len(scene.expected):,}",
        f"{verdict.with_outcome:,} of {verdict.rows:,}",
        f"{verdict.repeated:,}",
        " → ".join(scene.said),
        f"FAILED: {words}" if words else f"holds{'; ' + why if why else ''}",
    )


def cancelled(scene: FaultScene) -> FaultStory:
    scene.upload()
    before = scene.reach_the_middle()
    answer = scene.visitor.ask("POST", f"/api/v1/jobs/{scene.job_id}/cancel").json()
    scene.look()
    time.sleep(3)  # somebody might still write
    after = scene.visitor.job(scene.job_id)
    same = (after["done"], after["state"]) == (answer["done"], "cancelled")
    return told(scene, "the job cancelled", before, holds=same, why="" if same else f"went on to {after['done']}")


def deleted(scene: FaultScene) -> FaultStory:
    scene.upload()
    before = scene.reach_the_middle()
    assert scene.visitor.ask("DELETE", f"/api/v1/jobs/{scene.job_id}").status_code == 204
    scene.look()
    return gone("the job deleted", scene, before)


def owner_deleted(scene: FaultScene) -> FaultStory:
    people.log_in(scene.visitor, scene.label)
    scene.upload()
    before = scene.reach_the_middle()
    people.delete_account(scene.portal, scene.label)
    scene.look()
    return gone("its owner's account deleted", scene, before)


def gone(fault: str, scene: FaultScene, before: int) -> FaultStory:
    """A line about a job that must leave nothing behind, and that nobody may go on to ask for."""
    end = time.monotonic() + 90
    while (left := people.left_of(scene.portal, scene.job_id)) and time.monotonic() < end:
        time.sleep(1)
    asked = []
    for _ in range(3):  # what is under way may end: no more than a chunk for each worker process
        asked.append(scene.portal.proxy.count(f"/{scene.label}-")["answers"])
        time.sleep(3)
    ended, later = asked[1] - asked[0], asked[2] - asked[1]
    goes_on = later or ended > lists.PROCESSES * lists.ROWS_IN_CHUNK
    words = f"{left=}, {ended} asked after that, {later} later" if left or goes_on else ""
    return FaultStory(
        fault, f"{before:,} / none left", "no row is left", f"{ended:,} under way were answered, {later:,} later",
        " → ".join(scene.said), f"FAILED: {words}" if words else "holds",
    )  # fmt: skip


def twice_at_once(scene: FaultScene, key: str = "") -> FaultStory:
    scene.visitor.ask("POST", "/api/v1/lookups", json={"input": "10.1000/182"})  # a session, so that both are one's
    header = {"Idempotency-Key": key} if key else {}
    made = lists.lines(scene.label, len(scene.expected))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: scene.visitor.send(made, headers=header), range(2)))
    jobs = sorted({answer.json()["id"] for answer in answers})
    stories = []
    for scene.job_id in jobs:
        scene.visitor.wait_for_the_end(scene.job_id)
        scene.look()
        stories.append(told(scene, f"the same upload twice at once, {'with a' if key else 'without'} key", 0))
    failed = [story for story in stories if "FAILED" in story.verdict]
    codes = [answer.status_code for answer in answers]
    right = codes == [202, 202] and len(jobs) == (1 if key else 2)
    story = (failed or stories)[0]
    verdict = story.verdict if right else f"FAILED: {codes}, {len(jobs)} jobs"
    return FaultStory(
        story.fault, story.before, f"{story.whole}, {len(jobs)} job{'s' * (len(jobs) > 1)}", story.repeated,
        story.page, verdict,
    )  # fmt: skip


def web_killed_during_upload(scene: FaultScene) -> FaultStory:
    body = (
        b"--b\r\nContent-Disposition: form-data; name=file; filename=list.csv\r\n\r\ndoi\n" + b"10.5555/x\n" * 400_000
    )
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:{scene.portal.port}\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", scene.portal.port), 10) as connection:
        connection.sendall(f"{head}Content-Type: multipart/form-data; boundary=b\r\n\r\n".encode() + body[:2_000_000])
        time.sleep(1)
        scene.portal.kill("web")
        with suppress(OSError):
            connection.recv(100)
    scene.portal.start("web")
    incoming = list(Path(scene.portal.environment["DOIPORTAL_DATA_DIR"], "incoming").iterdir())
    for file in incoming:
        file.unlink()
    scene.upload()
    scene.visitor.wait_for_the_end(scene.job_id)
    scene.look()
    return told(
        scene, "the web process killed with -9 during an upload; the upload sent again", 0,
        why=f"{len(incoming)} file of the broken upload stays in incoming/",
    )  # fmt: skip


def web_killed_during_download(scene: FaultScene) -> FaultStory:
    made = [f"{line},{'x' * WIDE}" for line in lists.lines(scene.label, len(scene.expected))]
    file = ("list.csv", "\n".join(["doi,other", *made, ""]).encode())
    scene.job_id = scene.visitor.ask("POST", "/api/v1/jobs", files={"file": file}, data={"column": "doi"}).json()["id"]
    scene.visitor.wait_for_the_end(scene.job_id)
    path = f"/api/v1/jobs/{scene.job_id}/results.csv"
    got = 0
    try:
        with scene.visitor.ask("GET", path, stream=True) as answer:
            for piece in answer.iter_content(65_536):
                got += len(piece)
                if got == len(piece):
                    scene.portal.kill("web")
        cut = False
    except requests.RequestException:
        cut = True
    scene.portal.start("web")
    whole = scene.visitor.ask("GET", path)
    scene.look()
    lines = whole.text.count("\n")
    verdict = f"holds: cut after {got:,} bytes, then whole with {len(whole.content):,} bytes"
    if not (cut and lines == len(made) + 1):
        verdict = f"FAILED: {cut=}, {lines} lines"
    return FaultStory(
        "the web process killed with -9 during a download", f"{len(made):,} / {lines - 1:,}", f"{lines - 1:,}", "0",
        " → ".join(scene.said), verdict,
    )  # fmt: skip


COURSES: dict[str, Course] = {
    "the job cancelled": cancelled,
    "the job deleted": deleted,
    "its owner's account deleted": owner_deleted,
    "the same upload twice at once, with a key": lambda scene: twice_at_once(scene, f"key of {scene.label}"),
    "the same upload twice at once, without key": twice_at_once,
    "the web process killed with -9 during an upload": web_killed_during_upload,
    "the web process killed with -9 during a download": web_killed_during_download,
}


# --- a small disk -----------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, megabytes: int = 64) -> Iterator[Path]:
    """A file system of its own, mounted there; needs root."""
    folder.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled(portal: KillablePortal, leave: int = 0) -> Iterator[None]:
    """No room left but for so many bytes."""
    file = Path(portal.environment["DOIPORTAL_DATA_DIR"], "filler")
    with file.open("wb", buffering=0) as filler:
        with suppress(OSError):
            while filler.write(b"x" * 4096):
                pass
        filler.truncate(max(0, filler.tell() - leave))
    try:
        yield
    finally:
        file.unlink()


def full_during_upload(scene: FaultScene) -> FaultStory:
    data = Path(scene.portal.environment["DOIPORTAL_DATA_DIR"])
    scene.visitor.ask("POST", "/api/v1/lookups", json={"input": "10.1000/182"})
    with filled(scene.portal, leave=1_000_000):
        big = lists.lines(scene.label, 200_000)
        answer = scene.visitor.send(big)
        left = [*data.glob("incoming/*"), *data.glob("uploads/*")]
    scene.said.append(f"{answer.status_code} {answer.text}")
    fault = "disk full during an upload; then sent again with room"
    before = scene.visitor.ask("GET", "/api/v1/jobs").json()["results"]
    scene.upload()
    scene.visitor.wait_for_the_end(scene.job_id)
    scene.look()
    right = answer.status_code == 507 and not left and not before
    return told(scene, fault, 0, holds=right, why="" if right else f"{left=}, {before=}")


def full_during_checking(scene: FaultScene) -> FaultStory:
    scene.upload()
    before = scene.reach_the_middle()
    with filled(scene.portal):
        time.sleep(30)
        scene.look()
    ended = [name for name in ("web", "worker", "beat") if not scene.portal.lives(name)]
    scene.visitor.wait_for_the_end(scene.job_id)
    scene.look()
    return told(
        scene, "disk full for 30 s during checking", before, holds=not ended, why=f"ended: {ended}" if ended else ""
    )


SMALL_DISK: dict[str, Course] = {
    "disk full during an upload": full_during_upload,
    "disk full during checking": full_during_checking,
}
