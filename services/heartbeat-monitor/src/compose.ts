import { appOptions, serve, type ServiceContext } from '@tocsin/service-kit';
import { createApp } from './app.ts';
import type { Config } from './config.ts';

/** The only file that knows every concrete part. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  await serve(context, createApp(appOptions(context)));
}
