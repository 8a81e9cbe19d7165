import { text } from '../tool/arguments.ts';
import { defineListTool, defineReadTool } from './define-tools.ts';

export const analyticsTools = [
  defineReadTool({
    name: 'get_link_analytics',
    description:
      "Returns a link's totals, such as views and viewing time. Use report_link to get visitors and visits too.",
    operation: 'analytics.link',
    id: 'Link ID, from list_links.',
    idSource: 'list_links',
  }),
  defineListTool({
    name: 'list_link_visitors',
    description: 'Lists the visitors of a share link.',
    operation: 'analytics.visitors',
    id: 'Link ID, from list_links.',
    idSource: 'list_links',
    resource: 'visitor',
    without: ['detail'],
    shape: {
      match: text('Text in the visitor’s name, email or company.').optional(),
      since: text('Earliest date of the first visit (YYYY-MM-DD, UTC).').optional(),
      until: text('Latest date of it, inclusive.').optional(),
    },
  }),
  defineReadTool({
    name: 'get_visit',
    description: 'Returns one visit with the time spent on each page.',
    operation: 'analytics.visit',
    id: 'Visit ID, from list_link_visitors.',
    idSource: 'list_link_visitors',
  }),
  defineReadTool({
    name: 'get_room_analytics',
    description: 'Returns the metrics of a room: views, visitors and viewing time.',
    operation: 'analytics.room',
    id: 'Room ID, from list_rooms.',
    idSource: 'list_rooms',
  }),
];
