/**
 * Who may do what: API tokens and resource grants. Entry points: {@link org.berth.access.service.TokenService}, {@link
 * org.berth.access.service.GrantService}. May use domain and persistence.
 */
package org.berth.access.service;
