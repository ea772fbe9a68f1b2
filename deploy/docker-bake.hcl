# The images of all services for both platforms: TAG=mine REGISTRY=registry.example.com/ docker buildx bake -f deploy/docker-bake.hcl --push
# One service: docker buildx bake -f deploy/docker-bake.hcl gateway

variable "REGISTRY" {
  default = ""
}

variable "TAG" {
  default = "dev"
}

variable "NODE_IMAGE" {
  default = "node:24-bookworm-slim"
}

variable "BUILD_IMAGE" {
  default = ""
}

variable "PREVIOUS_GATEWAY" {
  default = "no-previous-gateway"
}

variable "REVISION" {
  default = "unknown"
}

variable "SOURCE" {
  default = ""
}

variable "CREATED" {
  default = ""
}

group "default" {
  targets = ["services"]
}

target "services" {
  name = service
  matrix = {
    service = [
      "directory",
      "scheduling",
      "alert-ingest",
      "alert-processor",
      "heartbeat-monitor",
      "notifier",
      "gateway",
    ]
  }
  context    = "."
  dockerfile = "deploy/Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${REGISTRY}tocsin-${service}:${TAG}"]
  args = {
    SERVICE          = service
    NODE_IMAGE       = NODE_IMAGE
    BUILD_IMAGE      = BUILD_IMAGE == "" ? NODE_IMAGE : BUILD_IMAGE
    PREVIOUS_GATEWAY = PREVIOUS_GATEWAY
    REVISION         = REVISION
    SOURCE           = SOURCE
    CREATED          = CREATED
  }
}
