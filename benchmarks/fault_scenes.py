"""The faults, each made for real while a list is checked, and what is to be seen of each afterwards."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from tests.faults import lists
from tests.faults.portal import Json, KillablePortal, Visitor

Act = Callable[["FaultScene"], None]
AT_ONCE = 4
LONGEST = 180  # characters of what a page says


@dataclass
class FaultScene:
    """One list under one fault. `label` is in all of its names, and in no other list's."""

    portal: KillablePortal
    visitor: Visitor
    label: str
    expected: list[Json]
    job_id: str = ""
    said: list[str] = field(default_factory=list)  # what the page said, in order

    def upload(self, **options: str) -> None:
        self.job_id = self.visitor.upload(lists.lines(self.label, len(self.expected)), **options)

    def reach_the_middle(self) -> int:
        """The rows done, a third of the list or more."""
        return int(self.visitor.wait_for_rows(self.job_id, len(self.expected) // 3)["done"])

    def look(self) -> None:
        """Note what the page says, without what it says of every running list."""
        text = self.visitor.page(self.job_id).removeprefix("State ").partition(" This page ")[0]
        if len(text) > LONGEST:
            text = f"{text[:LONGEST]} …"
        if text not in self.said:
            self.said.append(text)


@dataclass(frozen=True)
class FaultStory:
    """A line of the table."""

    fault: str
    before: str
    whole: str
    repeated: str
    page: str
    verdict: str


def in_the_middle(act: Act, scene: FaultScene, again: bool = False) -> tuple[int, lists.ListVerdict]:
    """Upload, let the fault happen in the middle, wait for the end; `again`: then ask again for what got no answer."""
    scene.upload()
    before = scene.reach_the_middle()
    act(scene)
    job = scene.visitor.wait_for_the_end(scene.job_id)
    scene.look()
    if again and {"unreachable", "proxy-error"} & job["counts"]["outcome"].keys():
        answer = scene.visitor.ask("POST", f"/api/v1/jobs/{scene.job_id}/retry")
        assert answer.status_code == 202, answer.text
        scene.visitor.wait_for_the_end(scene.job_id)
        scene.look()
    return before, lists.judge(scene.visitor, scene.job_id, scene.label, scene.expected)


# --- processes --------------------------------------------------------------------------------------------------------


def one_child_killed(scene: FaultScene) -> None:
    scene.portal.children("worker")[0].kill()
    scene.look()


def worker_killed(scene: FaultScene) -> None:
    scene.portal.kill("worker")
    scene.look()
    scene.portal.start("worker")


def everything_killed(scene: FaultScene) -> None:
    """The processes that `make run` has started, all at once, and `make run` again."""
    scene.portal.kill_all()
    scene.portal.start("supervisor")
    scene.look()


def web_killed(scene: FaultScene) -> None:
    scene.portal.kill("web")
    time.sleep(1)
    scene.portal.start("web")
    scene.look()


# --- services ---------------------------------------------------------------------------------------------------------


def redis_flushed(scene: FaultScene) -> None:
    assert scene.portal.redis
    scene.portal.redis.flush()
    scene.look()


def redis_restarted(scene: FaultScene, away: float = 3.0) -> None:
    assert scene.portal.redis
    scene.portal.redis.kill()
    scene.look()
    time.sleep(away)
    scene.portal.redis.start()


def postgres_stopped(scene: FaultScene, away: float = 3.0) -> None:
    assert scene.portal.postgres
    scene.portal.postgres.stop()
    scene.look()
    time.sleep(away)
    scene.portal.postgres.start()


def postgres_killed(scene: FaultScene, away: float = 3.0) -> None:
    assert scene.portal.postgres
    scene.portal.postgres.kill()
    scene.look()
    time.sleep(away)
    scene.portal.postgres.start()


# --- the proxy --------------------------------------------------------------------------------------------------------


def proxy_fails(scene: FaultScene, how: str, seconds: float) -> None:
    scene.portal.proxy.fail(how)
    time.sleep(seconds)
    scene.look()
    scene.portal.proxy.fail("")


# --- people -----------------------------------------------------------------------------------------------------------


def swept(scene: FaultScene) -> None:
    sweep = "from resolver.tasks import sweep\nfor _ in range(20): sweep()"
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(scene.portal.python, [sweep] * AT_ONCE))
    scene.look()


PROCESSES: dict[str, Act] = {
    "one of the two worker processes killed with -9": one_child_killed,
    "the whole worker killed with -9, and started again": worker_killed,
    "the web process killed with -9, and started again": web_killed,
    "four processes sweep at the same time": swept,
}
REDIS: dict[str, Act] = {
    "Redis: FLUSHALL": redis_flushed,
    "Redis killed with -9 and started again after 3 s, empty": redis_restarted,
    "Redis away for 30 s, then empty": partial(redis_restarted, away=30),
}
POSTGRES: dict[str, Act] = {
    "PostgreSQL stopped (fast) and started again after 3 s": postgres_stopped,
    "PostgreSQL killed with -9 and started again after 3 s": postgres_killed,
    "PostgreSQL away for 30 s": partial(postgres_stopped, away=30),
}
PROXY: dict[str, Act] = {
    "the proxy down for a minute": partial(proxy_fails, how="down", seconds=60),
    "the proxy down for 3 s": partial(proxy_fails, how="down", seconds=3),
    "429 with Retry-After: 1 for 5 s": partial(proxy_fails, how="429", seconds=5),
    "503 with Retry-After: 1 for 5 s": partial(proxy_fails, how="503", seconds=5),
    "HTML with HTTP 200 for 5 s": partial(proxy_fails, how="html", seconds=5),
    "half bodies for 5 s": partial(proxy_fails, how="half", seconds=5),
    "JSON of another kind for 5 s": partial(proxy_fails, how="wrong json", seconds=5),
    "the record of another name for 5 s": partial(proxy_fails, how="another name", seconds=5),
    "connections reset for 5 s": partial(proxy_fails, how="reset", seconds=5),
}
