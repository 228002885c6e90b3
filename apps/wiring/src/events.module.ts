import { Database, PostgresEvents, PostgresSignals } from '#adapters/postgres';
import { EventWatch, type EventLog, type EventViews } from '#events';
import { provide, provideAs, SharedModule, token } from './provide.ts';
import { SignalsModule } from './signals.module.ts';

export const eventLog = token<EventLog>('EventLog');
export const eventViews = token<EventViews>('EventViews');

/** Events of workspaces. The API publishes them. */
@SharedModule(
  [SignalsModule],
  provide(PostgresEvents, Database),
  provideAs(eventLog, PostgresEvents, Database),
  provideAs(eventViews, PostgresEvents, Database),
  provide(EventWatch, PostgresSignals, PostgresEvents),
)
export class EventsModule {}
