/** Below the home page's services, above its call to action. */
declare module 'slot:home-end' {
  export const Slot: import('react').ComponentType<{
    texts: ContentModules['home']['newsletter'];
    headingId: string;
  }>;
  export const isFilled: boolean;
}
