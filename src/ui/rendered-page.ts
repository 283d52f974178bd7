export type RenderedPage = { page: string; head: string; body: string };
/** `view` is what a page below another shows, such as a post. */
export type RenderPage = (path: string, view?: object) => Promise<RenderedPage>;
