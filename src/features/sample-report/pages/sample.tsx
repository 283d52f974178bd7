export { StaticHtml as Component } from '../../../ui/components/static-html.tsx';
