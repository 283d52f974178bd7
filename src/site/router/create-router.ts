import type { ComponentType } from 'react';
import { collectLateFonts } from '../late-fonts.ts';
import { isDocument, type PageName, pageAt, paths } from '../paths.ts';
import { isSamePage, type Place, placeOf, readPlace } from './place.ts';
import { createScroll } from './scroll.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: PageName) => Promise<PageModule>;

export type Shown = {
  place: Place;
  Page: ComponentType;
  /** Another page is on its way. */
  isLoading: boolean;
  /** Its chunk could not be had: whoever goes there again tries again. */
  hasFailed?: boolean;
  /** It came from another page, at its top: what stands below the first screen may come after the first frame. */
  isFresh?: boolean;
};

export type Router = {
  first: Shown;
  loadPage: LoadPage;
  /** Goes to an address of this site without loading a document. */
  go(address: string): void;
  /** Puts a page that has just been shown where the visitor expects it. */
  arrive(place: Place): void;
  /** Tells of every change from now on, until the function that it returns is called. */
  listen(show: (shown: Shown) => void): () => void;
};

/** A page that comes sooner is not announced: that would hold it up. The bar itself waits for another 50 ms. */
const slowMs = 100;

/** Rejects when the page that the HTML shows cannot be had: hydration must render just that. */
export async function createRouter(loadPage: LoadPage, page: PageName): Promise<Router> {
  const { Component } = await loadPage(page);
  // A host may have spelt its address in another way; links, and what Back leads to, are compared with ours.
  const first: Shown = {
    place: readPlace(page === 'blog' ? undefined : paths[page as keyof typeof paths]),
    Page: Component,
    isLoading: false,
  };
  const scroll = createScroll(first.place);
  const showLateFonts = collectLateFonts();
  let { pathname } = first.place;
  let shown = first;
  let show: (shown: Shown) => void = () => undefined;
  /** Of several ways that were begun, the last one counts. */
  let latest: Place | undefined;

  function enter(next: Shown): void {
    shown = next;
    show(next);
  }

  async function lead(place: Place, arrive: () => void): Promise<void> {
    latest = place;
    if (isSamePage(place, shown.place) && !shown.hasFailed) {
      arrive();
      return enter({ ...shown, place, isLoading: false, isFresh: false });
    }
    const slow = setTimeout(() => {
      if (latest === place) enter({ ...shown, isLoading: true });
    }, slowMs);
    const found = await findPage(place);
    clearTimeout(slow);
    if (latest !== place) return;
    arrive();
    enter({ place, ...found, isLoading: false, isFresh: scroll.beginsAtTop(place) });
  }

  /** A page that cannot be had is one that throws: the boundary around it says so. */
  async function findPage({ pathname }: Place): Promise<Pick<Shown, 'Page' | 'hasFailed'>> {
    try {
      const { Component: Page } = await loadPage(pageAt(pathname) ?? 'not-found');
      return { Page };
    } catch (error) {
      const Page = () => {
        throw error;
      };
      return { Page, hasFailed: true };
    }
  }

  function go(address: string): void {
    const url = new URL(address, location.href);
    const place = placeOf(url);
    const method = url.href === location.href ? 'replaceState' : 'pushState';
    lead(place, () => {
      scroll.leave();
      history[method]({ key: place.key }, '', url);
    });
  }

  function followHistory(): void {
    const place = readPlace();
    scroll.leave();
    if (isDocument(place.pathname) && !isSamePage(place, shown.place)) {
      scroll.arriveByReload(place);
      location.reload();
    } else lead(place, () => undefined);
  }

  return {
    first,
    loadPage,
    go,
    arrive(place) {
      if (place.pathname !== pathname) showLateFonts();
      pathname = place.pathname;
      scroll.arrive(place);
    },
    listen(listener) {
      show = listener;
      addEventListener('popstate', followHistory);
      const stop = scroll.keep();
      return () => {
        show = () => undefined;
        removeEventListener('popstate', followHistory);
        stop();
      };
    },
  };
}
