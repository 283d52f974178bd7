import type { Feature, StartedFeatures } from '../../core/feature.ts';
import { type App, type AppDeps, type BoundEndpoint, createApp } from '../../core/http/create-app.ts';
import type { Endpoint } from '../../core/http/endpoint.ts';
import { features } from '../../features.ts';

export const endpoints: readonly Endpoint<never>[] = features.flatMap(({ endpoints = [] }) => endpoints);

/** The app of all features. `npm run dev` loads this file anew for each request. */
export function createSiteApp(
  deps: AppDeps,
  started: StartedFeatures,
  isOn: (feature: Feature) => boolean = () => true,
): App {
  const bound = features.flatMap((feature): BoundEndpoint[] =>
    (feature.endpoints ?? []).map(endpoint => {
      const parts = started.get(feature);
      const isOffered = endpoint.isOffered?.(parts) ?? true;
      return {
        endpoint: endpoint as Endpoint,
        started: parts,
        isOn: () => isOffered && (endpoint.staysWhenOff === true || isOn(feature)),
      };
    }),
  );
  return createApp(deps, bound);
}
