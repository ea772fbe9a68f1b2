export { openApiDocument } from './document.ts';
export type { OpenApiDocument } from './document.ts';
