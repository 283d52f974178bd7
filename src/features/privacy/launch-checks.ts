import { below, failed, type LaunchCheck, ready, recommended, serverOnly } from '../../core/launch/check.ts';
import { places } from '../../core/launch/places.ts';

type Context = { config: { retention: { messagesDays: number; quarantineDays: number } } };

export const privacyChecks: LaunchCheck<Context>[] = serverOnly<Context>(
  ...below<Context>(
    'Rate limit',
    recommended(
      'Data retention',
      'Personal data may not be kept longer than needed, and the privacy page states the period.',
      places.setting('KEEP_MESSAGES_DAYS'),
      ({ config: { retention } }) => {
        const forEver = [
          ...(retention.messagesDays === 0 ? ['KEEP_MESSAGES_DAYS'] : []),
          ...(retention.quarantineDays === 0 ? ['KEEP_QUARANTINE_DAYS'] : []),
        ];
        if (forEver.length > 0) return failed(`${forEver.join(' and ')} is 0: messages are kept for ever`);
        return ready(`${retention.messagesDays} days, in quarantine ${retention.quarantineDays}`);
      },
    ),
  ),
);
