#!/bin/bash
# Starts a broker by the environment: KAFKA_LOG_DIRS is log.dirs in server.properties. Two underscores stand for one, three for a dash.
set -euo pipefail

properties=/opt/kafka/config/server.properties
data=${KAFKA_LOG_DIRS:=/var/lib/kafka/data}
export KAFKA_LOG_DIRS

: > "$properties"
for variable in "${!KAFKA_@}"; do
  case $variable in KAFKA_HEAP_OPTS | KAFKA_OPTS | KAFKA_LOG4J_*) continue ;; esac
  name=${variable#KAFKA_}
  name=${name,,}
  name=${name//___/-}
  name=${name//__/@}
  name=${name//_/.}
  printf '%s=%s\n' "${name//@/_}" "${!variable}" >> "$properties"
done

# What `kafka-storage format` would write.
mkdir -p "$data"
if [ ! -f "$data/meta.properties" ]; then
  directory=$(head -c 16 /dev/urandom | base64 -w 0 | tr '+/' '-_' | tr -d =)
  printf '%s\n' version=1 "cluster.id=$CLUSTER_ID" "node.id=$KAFKA_NODE_ID" "directory.id=$directory" > "$data/meta.properties"
fi

# shellcheck disable=SC2086 # Several options each.
exec java ${KAFKA_HEAP_OPTS:--Xmx384m} -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${KAFKA_OPTS:-} -cp '/opt/kafka/libs/*' kafka.Kafka "$properties"
