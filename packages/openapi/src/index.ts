export { openApiDocument } from './document.ts';
export type { OpenApiDocument } from './document.ts';
export { requestBody } from './request-body.ts';
