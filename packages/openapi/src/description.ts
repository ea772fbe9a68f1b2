import type { z } from 'zod';
import type { OperationId } from '@tocsin/contracts';

/** What the API description says of one operation beside its row in the operation table. */
export interface Description {
  /** What is guaranteed, in whole sentences; the summary of the table stands above it. */
  readonly description?: string;
  /** The parameters of the path that are not plain text. */
  readonly path?: z.ZodObject;
  /** The very schema that the route reads its query with. */
  readonly query?: z.ZodType;
  readonly body?: RequestBody;
  readonly success: JsonSuccess | FileSuccess;
  /** Answers that are pages too, beside the success: what each says. */
  readonly pages?: Readonly<Partial<Record<200 | 404 | 409 | 410, string>>>;
  /** A 404 may mean that what is asked for is still on its way, and a header says so (A8). */
  readonly mayBePending?: true;
  /** Refusals of this operation beside those that every operation has. */
  readonly refusals?: readonly RefusalStatus[];
}

export interface RequestBody {
  /** The very schema that the route reads its body with. */
  readonly schema: z.ZodType;
  /** A body that the operation takes. */
  readonly example: unknown;
  /** JSON unless given. */
  readonly mediaType?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
}

/** A JSON body; `took` and `requestId` are added to its schema and its example. */
export interface JsonSuccess {
  /** E9. */
  readonly status: 200 | 201 | 202;
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  /** The same status may have another body as well, as it is. */
  readonly or?: Pick<FileSuccess, 'mediaType'>;
}

/** A file or a page as it is. */
export interface FileSuccess {
  /** 200 unless given. */
  readonly status?: 202;
  readonly mediaType: string;
  /** A caller that has it already, as its `If-None-Match` says, is answered 304. */
  readonly hasTag?: true;
  /** What the file is. */
  readonly description: string;
}

/** Statuses of refusals that not every operation has. */
type RefusalStatus = 404 | 409 | 428;

/** A description for each of some operations. */
export type Descriptions<Id extends OperationId> = Readonly<Record<Id, Description>>;

/** The descriptions of one area. That no operation lacks one is seen where the areas come together. */
export const area = <Id extends OperationId>(descriptions: Record<Id, Description>): Descriptions<Id> => descriptions;
