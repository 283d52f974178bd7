export { StaticHtml as Component } from '../components/static-html.tsx';
