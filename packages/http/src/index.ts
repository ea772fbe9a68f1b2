export { Admission, tooManyUnderWay } from './admission.ts';
export type { AdmissionBounds } from './admission.ts';
export { addressHolder, networkHolder, plainAddress } from './address-holder.ts';
export { Circuit } from './circuit.ts';
export type { CircuitOptions } from './circuit.ts';
export { shareOf } from './fair-limit.ts';
export type { LimitResult, ShareBounds } from './fair-limit.ts';
export { errorAnswer, secondsSince, send } from './envelope.ts';
export type { Answer, Envelope } from './envelope.ts';
export { readFormFields } from './form-fields.ts';
export { type FormValues, isMultipart, readFormValues } from './form-values.ts';
export { readForm } from './form.ts';
export type { ArrivingFile, FormShape } from './form.ts';
export { answeredAtMs, handledOperation, noteOperation, noteStreamBegan, refusalFormOf } from './handled-operation.ts';
export { FORWARDED_FOR_HEADER, ITEM_COUNT_HEADER, PUBLIC_URL_HEADER, REQUEST_ID_HEADER } from './headers.ts';
export { HOOK_BOUNDS, REQUEST_BOUNDS } from './json-bounds.ts';
export { jsonInSteps, textOfMember } from './json-steps.ts';
export { hasBody, BodyBuffer, MAX_BODY_BYTES } from './body-buffer.ts';
export type { BodyBounds } from './body-buffer.ts';
export { createHttpServer, GATEWAY_HEAD_BYTES } from './http-server.ts';
export type { HttpServerOptions } from './http-server.ts';
export { InternalClient } from './internal-client.ts';
export type { InternalClientOptions, InternalReply, UserClient } from './internal-client.ts';
export { importedAs, importRoute } from './import-route.ts';
export type { ImportResult } from './import-route.ts';
export { defineInternalRoute } from './internal-route.ts';
export type { InternalInput, InternalRoute } from './internal-route.ts';
export { AddressGuard, AddressRanges, rangeProblem } from './outgoing/address-guard.ts';
export { lookUpsApart } from './outgoing/look-ups-apart.ts';
export { OutgoingCaller } from './outgoing/outgoing-caller.ts';
export type {
  OutgoingAnswer,
  OutgoingCallerOptions,
  OutgoingOutcome,
  OutgoingRequest,
} from './outgoing/outgoing-caller.ts';
export type { OutgoingSocket, SocketRequest } from './outgoing/outgoing-socket.ts';
export { addressIn, urlProblem } from './outgoing/outgoing-target.ts';
export { decodedText } from './plain-bytes.ts';
export { pageUrls } from './paging.ts';
export type { Page, PageUrls } from './paging.ts';
export { rawBody } from './raw-body.ts';
export type { RawBody } from './raw-body.ts';
export { requestIdAt } from './request-id.ts';
export { defineRoute } from './route.ts';
export type { FileBytes, FileReply, Reply, ReplyOf, Route, RouteInput, WrittenReply } from './route.ts';
export { createServiceApp } from './service-app.ts';
export type { ServiceAppOptions } from './service-app.ts';
export { stateLookUp, stateRoutes, statesLookUp } from './state-route.ts';
export type { StatesLookUp } from './state-route.ts';
export { validated } from './validation.ts';
export { wholeBody } from './whole-body.ts';
export type { WholeBody } from './whole-body.ts';
export * from './authentication/index.ts';
