import type { StateMessage, Version } from '@tocsin/contracts';
import type { Session } from '@tocsin/persistence';
import type { Model } from 'mongoose';
import type { Writes } from '../domain/configuration.ts';

interface Entity {
  readonly id: string;
  readonly createdAt: Date;
  readonly version: Version;
}

/** The fields of every {@link Entity}, for its schema. */
export const entityFields = {
  _id: { type: String, required: true },
  createdAt: { type: Date, required: true },
  version: { epoch: { type: Number, required: true }, n: { type: Number, required: true } },
};

/** A domain value as MongoDB holds it: the id is its key, and what is undefined is absent. */
export type Document<T extends Entity> = Omit<T, 'id'> & { readonly _id: string };

/** The documents of one kind of configuration, one for each thing. */
export class MongoDocuments<T extends Entity> {
  protected readonly model: Model<Document<T>>;
  protected readonly read: (document: Document<T>) => T;

  constructor(options: { model: Model<Document<T>>; read: (document: Document<T>) => T }) {
    this.model = options.model;
    this.read = options.read;
  }

  async all(session: Session): Promise<readonly T[]> {
    const documents = await this.model.find({}, undefined, { session }).lean<Document<T>[]>().exec();
    return documents.map(this.read);
  }

  /** Removes first, so that a name that becomes free may be taken in the same step. */
  async write({ put = [], removed = [] }: Writes<T>, session: Session): Promise<void> {
    const operations = [
      ...removed.map(({ id }) => ({ deleteOne: { filter: { _id: id } } })),
      ...put.map(({ id, ...rest }) => ({
        replaceOne: { filter: { _id: id }, replacement: { ...rest, _id: id }, upsert: true },
      })),
    ];
    if (operations.length === 0) return;
    // Mongoose cannot type an operation on a document that is still generic.
    await this.model.bulkWrite(operations as never, { session });
  }
}

/** Documents of a kind that is announced on a topic of its own. */
export class MongoCatalogue<T extends Entity, S> extends MongoDocuments<T> {
  readonly #message: (thing: T) => StateMessage<S>;

  constructor(options: {
    model: Model<Document<T>>;
    read: (document: Document<T>) => T;
    message: (thing: T) => StateMessage<S>;
  }) {
    super(options);
    this.#message = options.message;
  }

  /** What a relay of the topic reads. */
  get relayed(): {
    readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, StateMessage<S>>>;
    readonly ids: () => AsyncIterable<string>;
  } {
    return { load: (ids) => this.messages(ids), ids: () => this.ids() };
  }

  /** The present states of those of `ids` that exist, as their topic carries them. */
  async messages(ids: readonly string[]): Promise<ReadonlyMap<string, StateMessage<S>>> {
    const documents = await this.model
      .find({ _id: { $in: ids } } as object)
      .lean<Document<T>[]>()
      .exec();
    return new Map(documents.map((document) => [document._id, this.#message(this.read(document))]));
  }

  /** Every id, in any order. */
  async *ids(): AsyncGenerator<string> {
    for await (const { _id } of this.model.find({}, { _id: 1 }).lean<Document<T>[]>().cursor()) yield _id;
  }
}
