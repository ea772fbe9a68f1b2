/**
 * Real Kafka, MongoDB and SMTP on a developer's machine: obtained, started, stopped; and the clients that tests drive.
 * Nothing here runs in production.
 */
export { buildGoProgram } from './build-go-program.ts';
export { MissingPartError, type Say } from './downloads.ts';
export { KafkaBroker, startKafkaBroker, startKafkaBrokers, type KafkaPlan } from './kafka-broker.ts';
export {
  adminCommand,
  initiateMembers,
  Mongod,
  primaryAmong,
  requireReplicaSet,
  startMongod,
  type MongodPlan,
} from './mongod.ts';
export { type ServerPlace } from './local-server.ts';
export { obtainAlertmanager } from './obtain-alertmanager.ts';
export { obtainFaketime } from './obtain-faketime.ts';
export { obtainGoModule } from './obtain-go.ts';
export { obtainHelm, obtainKubeconform } from './obtain-helm.ts';
export { obtainKafka } from './obtain-kafka.ts';
export { obtainMermaid } from './obtain-mermaid.ts';
export { obtainMongod } from './obtain-mongod.ts';
export { obtainOpsgenieSdk } from './obtain-opsgenie-sdk.ts';
export { obtainPromtool } from './obtain-promtool.ts';
export { obtainSchemathesis } from './obtain-schemathesis.ts';
export { bindable, freePort, portAnswers } from './ports.ts';
export { ServerProcess, type ProcessEnd, type ProcessPlan } from './server-process.ts';
export { SmtpSink, type Mail, type SmtpSinkOptions } from './smtp-sink.ts';
