"""`make image`: build the image `doiportal` with Docker or podman, from base images that may be stand-ins."""

from base_images import get_base_images, list_base_images
from engine import ROOT, build_portal, find_engine, running


def main() -> None:
    engine = find_engine()
    with running(engine):
        get_base_images(engine, list_base_images())
        build_portal(engine, ROOT, "doiportal")


if __name__ == "__main__":
    main()
