# docker build -t nkf . && docker run --rm nkf doctor
# Results go to a folder of yours:
#   mkdir -p results
#   docker run --rm --user "$(id -u):$(id -g)" -e HOME=/tmp -v "$PWD/results:/home/nkf/results" nkf run ...

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The folder of go-xla for a whole machine, which needs no variable to be found.
ENV PJRT_PLUGIN_LIBRARY_PATH=/usr/local/lib/go-xla
RUN mkdir -p "$PJRT_PLUGIN_LIBRARY_PATH" && make setup

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home nkf
COPY --from=build /usr/local/lib/go-xla /usr/local/lib/go-xla
COPY --from=build /src/build/nkf /usr/local/bin/nkf
USER nkf
WORKDIR /home/nkf
ENTRYPOINT ["nkf"]
CMD ["doctor"]
