import { runService } from '@tocsin/service-kit';
import { compose } from './compose.ts';
import { Config } from './config.ts';

await runService('gateway', Config, compose);
