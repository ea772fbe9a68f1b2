/**
 * Tools for the tests of all packages: real Kafka, MongoDB and mail, doubles of providers, faults of all these, deaths of processes,
 * scenarios of the public API, callers, bodies that no client sends, and the time for which an answer blocks the event loop.
 */
export { accountKey, signedIn } from './principals.ts';
export { AlertStream, allMailed, waits, type StreamedAlert } from './alert-stream.ts';
export { anyCodePoint } from './any-code-point.ts';
export { casesOf } from './deep.ts';
export { dropDatabases } from './drop-databases.ts';
export { emptiedDatabase } from './emptied-database.ts';
export { eventually } from './eventually.ts';
export { hostileBody, nested } from './hostile-bodies.ts';
export { KafkaProxy, type AnswerFate } from './kafka-proxy.ts';
export { MAX_TURN_MS, measuredAnswer } from './longest-turn.ts';
export { startMailbox, type Mailbox } from './mailbox.ts';
export { startMessageGateway } from './providers/gateway-double.ts';
export { startNtfy, type PushedMessage } from './providers/ntfy-double.ts';
export { startGotify, startPushover, type GotifyMessage, type PushoverMessage } from './providers/push-doubles.ts';
export {
  startPushService,
  type BrowserMessage,
  type BrowserSubscription,
  type PushService,
} from './providers/push-service-double.ts';
export type { ChatCall, ChatMessage } from './providers/chat-calls.ts';
export { DISCORD_WEBHOOK, startDiscord, type DiscordDouble } from './providers/discord-double.ts';
export { GOOGLE_CHAT_WEBHOOK, startGoogleChat, type GoogleChatDouble } from './providers/google-chat-double.ts';
export {
  MATTERMOST_BOT,
  mattermostCommand,
  mattermostDirectChannel,
  startMattermost,
  type MattermostDouble,
} from './providers/mattermost-double.ts';
export {
  SLACK_APP,
  slackCommand,
  slackDirectChannel,
  slackPress,
  slackSignature,
  startSlack,
  type SlackDouble,
} from './providers/slack-double.ts';
export { startTelegram, TELEGRAM_BOT, type TelegramDouble } from './providers/telegram-double.ts';
export { startWebSockets, type SocketAtDouble, type WebSocketDouble } from './providers/websocket-double.ts';
export { startSignalGateway, type SignalMessage } from './providers/signal-double.ts';
export { startTeams, TEAMS_WORKFLOW, type TeamsDouble } from './providers/teams-double.ts';
export {
  growAccount,
  OPSGENIE_SECRETS,
  opsgenieAccount,
  type OpsgenieAccount,
  type OpsgenieObject,
} from './providers/opsgenie-account.ts';
export { OPSGENIE_KEYS, startOpsgenie, type OpsgenieDouble } from './providers/opsgenie-double.ts';
export { OPENID_CLIENT, OpenIdDouble } from './providers/openid-double.ts';
export type { Behaviour } from './providers/behaviour.ts';
export { postForm, sendTwilioReceipt, twilioSignature, type ReceiptOptions } from './providers/receipts.ts';
export type { ProviderDouble, SeenRequest } from './providers/provider-double.ts';
export { pressKey, sendText, type SentText, type TwimlAnswer } from './providers/twilio-answers.ts';
export { startTwilio, TWILIO_ACCOUNT, twilioSettings, type TwilioMessage } from './providers/twilio-double.ts';
export { startSpanReceiver, type ReceivedSpan, type SpanReceiver } from './span-receiver.ts';
export { leastMeasured, startProcessorTime } from './processor-time.ts';
export { processEnvironment } from './process-environment.ts';
export { deathOf, dieAt, publishAll, tellParent, type PointOfDeath } from './point-of-death.ts';
export {
  clockAhead,
  downloads,
  startKafka,
  startKafkaCluster,
  startMongo,
  startReplicaSet,
  type OwnKafka,
  type OwnKafkaCluster,
  type OwnMongo,
  type NodePlace,
  type OwnReplicaSet,
} from './servers.ts';
export { serviceEnvironment, SIGNING_KEY, type ServiceEnvironment } from './service-environment.ts';
export { testKafka, testMongo, type TestKafka, type TestMongo } from './shared-servers.ts';
export { followTopics, readTopic, type TopicRecord } from './topic-reader.ts';
export { byAlias, Scenario, stepTo, type RuleInput, type ScenarioApi } from './scenario.ts';
export { docsExamined, monitoredUri, sentCommands, sentFinds, type SentFind } from './sent-commands.ts';
export { WatchedProxy, type Passing, type Watcher } from './watched-proxy.ts';
export { kafkaProtocol, MONGO_PROTOCOL, SMTP_PROTOCOL, type WireProtocol } from './wire-protocols.ts';
export * from './local-stack/index.ts';
export { testDataFolder } from './test-data.ts';
