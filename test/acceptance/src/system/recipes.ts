import { compose as composeAlertIngest } from '@tocsin/alert-ingest/compose';
import { Config as AlertIngestConfig } from '@tocsin/alert-ingest/config';
import { compose as composeAlertProcessor } from '@tocsin/alert-processor/compose';
import { Config as AlertProcessorConfig } from '@tocsin/alert-processor/config';
import { compose as composeDirectory } from '@tocsin/directory/compose';
import { Config as DirectoryConfig } from '@tocsin/directory/config';
import { compose as composeGateway } from '@tocsin/gateway/compose';
import { Config as GatewayConfig } from '@tocsin/gateway/config';
import { compose as composeHeartbeatMonitor } from '@tocsin/heartbeat-monitor/compose';
import { Config as HeartbeatMonitorConfig } from '@tocsin/heartbeat-monitor/config';
import { compose as composeNotifier } from '@tocsin/notifier/compose';
import { Config as NotifierConfig } from '@tocsin/notifier/config';
import { compose as composeScheduling } from '@tocsin/scheduling/compose';
import { Config as SchedulingConfig } from '@tocsin/scheduling/config';
import type { ServiceConfig } from '@tocsin/service';
import type { ServiceRecipe } from './composed-service.ts';

const recipe = <C extends ServiceConfig>(of: ServiceRecipe<C>): ServiceRecipe => of as unknown as ServiceRecipe;

/** All seven services. */
export const RECIPES: readonly ServiceRecipe[] = [
  recipe({ name: 'alert-ingest', config: AlertIngestConfig, compose: composeAlertIngest }),
  recipe({ name: 'alert-processor', config: AlertProcessorConfig, compose: composeAlertProcessor }),
  recipe({ name: 'scheduling', config: SchedulingConfig, compose: composeScheduling }),
  recipe({ name: 'directory', config: DirectoryConfig, compose: composeDirectory }),
  recipe({ name: 'heartbeat-monitor', config: HeartbeatMonitorConfig, compose: composeHeartbeatMonitor }),
  recipe({ name: 'notifier', config: NotifierConfig, compose: composeNotifier }),
  recipe({ name: 'gateway', config: GatewayConfig, compose: composeGateway }),
];
