# JupyterLab with the notebooks, the Go kernel, XLA and, in nkf, the data sets:
#
#   docker build -t nkf .
#   docker run --rm -p 127.0.0.1:8888:8888 nkf          # prints the address with its token
#   docker run --rm -v "$PWD/results:/results" nkf nkf run tu --dataset BZR --out /results
#
# The same for NVIDIA cards, with 2.9 GB of CUDA; the host needs a driver of version 580 or later and NVIDIA's
# container toolkit:
#
#   docker build -t nkf-cuda --target cuda .
#   docker run --rm --gpus all nkf-cuda nkf doctor
#
# All that is fetched is checked: this image by its digest, Go modules by go.sum, the plug-in and what
# Python installs by SHA-256. `docker buildx imagetools inspect golang:1.26-bookworm` prints the digest of a
# newer image, which goes here, or into --build-arg BASE=golang@sha256:...
ARG BASE=golang:1.26.9-bookworm@sha256:d9c68c2c51161e12fd77e4c6320687c9cd86e1af1e3ad6e6cd63ff970641453c

FROM ${BASE} AS system
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# No versions: the base image pins the release of Debian, whose packages change for security alone.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 nkf \
    && install --directory --owner nkf --group nkf /home/nkf/nkf /results
ENV GOPATH=/home/nkf/go PATH=/home/nkf/nkf/build:$PATH
WORKDIR /home/nkf/nkf

FROM system AS build
USER 1000
COPY --chown=nkf . .
RUN make kernel && rm -rf /home/nkf/.cache/pip

FROM build AS build-cuda
RUN nkf setup --cuda

FROM system AS cuda
COPY --from=build-cuda --chown=nkf /home/nkf /home/nkf
USER 1000
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
EXPOSE 8888
CMD ["make", "lab", "IP=0.0.0.0", "LABFLAGS=--no-browser"]

FROM system
COPY --from=build --chown=nkf /home/nkf /home/nkf
USER 1000
EXPOSE 8888
# Inside the container every address; outside only what -p says.
CMD ["make", "lab", "IP=0.0.0.0", "LABFLAGS=--no-browser"]
